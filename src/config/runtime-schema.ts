import * as v from 'valibot'
import { ISOLATION_LEVELS } from '../contract/isolation.ts'
import { MAX_TIMEOUT } from '../sandbox/arguments.ts'
import { continuationEntries } from './continuation.ts'
import { oversightEntries } from './oversight.ts'
import { integer, number, oneOf } from './rules.ts'

/** The shortest time limit of a session, in seconds. The native engine refuses what it rounds to zero. */
const MIN_SESSION_TIMEOUT = 0.001

/** The largest permission mask. */
const MAX_UMASK = 0o777

const timeout = number(
  {
    expected: `a number of seconds from ${MIN_SESSION_TIMEOUT} to ${MAX_TIMEOUT} (a day)`,
    remedy: 'Leave it out for the default of 30 seconds.',
  },
  (seconds) => seconds >= MIN_SESSION_TIMEOUT && seconds <= MAX_TIMEOUT,
)

/** The fields that every hosted sandbox has for the runtime, and the two that every engine has. */
export const runtimeEntries = {
  umask: v.optional(
    integer(
      { expected: 'an integer from 0 to 0o777', remedy: 'Write it in octal, like 0o022.' },
      0,
      MAX_UMASK,
    ),
  ),
  timeout: v.optional(timeout),
  isolation: v.optional(oneOf(ISOLATION_LEVELS)),
  ...continuationEntries,
  ...oversightEntries,
  maxPending: v.optional(integer({ expected: 'a positive integer' }, 1, Number.MAX_SAFE_INTEGER)),
}

/** What these fields are where a config does not name them. */
export const RUNTIME_DEFAULTS = {
  maxPending: 1000,
} as const
