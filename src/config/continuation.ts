import * as v from 'valibot'
import { MAX_TIMEOUT, refuse } from '../sandbox/arguments.ts'
import { fields, number, oneOf, say } from './rules.ts'
import { isSnapshotObject } from './snapshot.ts'

/** When checkpoints of a session are taken by time: after `every` seconds of use, and after `idle` seconds without a call. */
export interface CheckpointTimes {
  /**
   * Seconds from a call to the checkpoint that has it at the latest. From 0.01 to 86400 (a day).
   *
   * @default undefined (only `idle` counts)
   */
  readonly every?: number | undefined
  /**
   * Seconds without a pending call after which what has changed is kept. From 0.01 to 86400 (a day).
   *
   * @default undefined (only `every` counts)
   */
  readonly idle?: number | undefined
}

/** When checkpoints of a session are taken: after each call, at times, or never. */
export type CheckpointPolicy = 'call' | 'never' | CheckpointTimes

/** How a session follows another one of its sandbox. */
export interface Continuation {
  readonly onInterrupt: 'keep' | 'reset' | 'restore'
  readonly onLost: 'reopen' | 'fail' | 'restore'
  readonly checkpoints: CheckpointPolicy
}

const seconds = number(
  { expected: 'a number of seconds from 0.01 to 86400 (a day)' },
  (value) => value >= 0.01 && value <= MAX_TIMEOUT,
)

const expected = "'call', 'never' or an object like { every: 60, idle: 5 }"

const times = v.pipe(
  fields({ every: v.optional(seconds), idle: v.optional(seconds) }, expected),
  v.check(({ every, idle }) => every !== undefined || idle !== undefined, 'must have every, idle or both.'),
)

/** The fields of a config that say how a session follows another one. */
export const continuationEntries = {
  onInterrupt: v.optional(oneOf(['keep', 'reset', 'restore'])),
  onLost: v.optional(oneOf(['reopen', 'fail', 'restore'])),
  checkpoint: v.optional(
    v.lazy((input) => (isSnapshotObject(input) ? times : v.picklist(['call', 'never'], say({ expected })))),
  ),
}

/** What a config says of it. */
export interface GivenContinuation {
  readonly onInterrupt?: Continuation['onInterrupt'] | undefined
  readonly onLost?: Continuation['onLost'] | undefined
  readonly checkpoint?: CheckpointPolicy | undefined
}

/**
 * How a session follows another one, with all that the config leaves out.
 *
 * @param usual - when checkpoints are taken where nothing in the config asks for them.
 * @throws SandboxConfigError for what cannot be restored because no checkpoint has it
 */
export function resolveContinuation(given: GivenContinuation, usual: 'call' | 'never'): Continuation {
  const restores = given.onInterrupt === 'restore' || given.onLost === 'restore'
  const checkpoints = given.checkpoint ?? (restores ? 'call' : usual)
  const { onInterrupt = 'keep', onLost = checkpoints === 'never' ? 'reopen' : 'restore' } = given
  if (onInterrupt === 'restore' && checkpoints !== 'call')
    throw refuse('onInterrupt', "can be 'restore' with checkpoint: 'call' alone. Take one of the two out.")
  if (onLost === 'restore' && checkpoints === 'never')
    throw refuse('onLost', "cannot be 'restore' with checkpoint: 'never'. Take one of the two out.")
  return { onInterrupt, onLost, checkpoints: Object.freeze(checkpoints) }
}
