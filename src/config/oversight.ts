import * as v from 'valibot'
import type { Policy } from '../policy/types.ts'
import { MAX_TIMEOUT, reading, refuse } from '../sandbox/arguments.ts'
import { kindOf } from '../sandbox/show-value.ts'
import { labels } from './labels.ts'
import { number } from './rules.ts'

/** Seconds that a policy may take where its config does not say. */
const POLICY_TIMEOUT = 5

/** Seconds that an approver may take where its config does not say. */
const APPROVAL_TIMEOUT = 300

/** What is known and decided of the calls of a sandbox. */
export interface Oversight {
  readonly labels: Readonly<Record<string, string>>
  readonly policies: readonly Policy[]
  /** Seconds that each policy may take for a call. */
  readonly policyTimeout: number
  /** Seconds that each approver may take for a call. */
  readonly approvalTimeout: number
}

const seconds = number(
  { expected: `a number of seconds from 0.001 to ${MAX_TIMEOUT} (a day)` },
  (value) => value >= 0.001 && value <= MAX_TIMEOUT,
)

/** The fields of a config of it; `policy` is read apart. */
export const oversightEntries = {
  labels: v.optional(labels),
  policyTimeout: v.optional(seconds),
  approvalTimeout: v.optional(seconds),
}

/** Reads the policies of a config or a host. @throws SandboxConfigError with the field `policy` */
export function resolvePolicies(policy: unknown): readonly Policy[] {
  if (policy === undefined) return Object.freeze([])
  if (isPolicy(policy)) return Object.freeze([policy])
  return reading('policy', () => {
    const list: unknown = Array.isArray(policy) ? [...policy] : undefined
    if (Array.isArray(list) && list.every(isPolicy)) return Object.freeze(list)
    throw refuse('policy', `must be a function or an array of functions, but is ${kindOf(policy)}.`)
  })
}

/** What a config says of it, with the defaults. */
export function resolveOversight(
  given: {
    readonly labels?: Oversight['labels'] | undefined
    readonly policyTimeout?: number | undefined
    readonly approvalTimeout?: number | undefined
  },
  policy: unknown,
): Oversight {
  return {
    labels: given.labels ?? Object.freeze({}),
    policies: resolvePolicies(policy),
    policyTimeout: given.policyTimeout ?? POLICY_TIMEOUT,
    approvalTimeout: given.approvalTimeout ?? APPROVAL_TIMEOUT,
  }
}

function isPolicy(value: unknown): value is Policy {
  return typeof value === 'function'
}
