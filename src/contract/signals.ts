import type { BlockingCall } from './blocking.ts'
import type { CheckpointPart } from './checkpoint.ts'
import type { LossData } from './errors.ts'

/** What a host sends on a lease's port besides calls: a call that its thread blocks on. `id` numbers it among the lease's calls. */
export interface BlockSignal {
  readonly kind: 'block'
  readonly id: number
  readonly call: BlockingCall
}

/** What a worker sends on a lease's port besides replies: the session is over. */
export interface LostSignal {
  readonly kind: 'lost'
  readonly loss: LossData
}

/** What a worker sends before the reply of a call that changed something; null where no checkpoint can be kept any more. */
export interface CheckpointSignal {
  readonly kind: 'checkpoint'
  readonly part: CheckpointPart | null
}

/** What crosses a lease's port besides Comlink's messages. */
type LeaseSignal = BlockSignal | LostSignal | CheckpointSignal

/** How a signal is posted. No message of Comlink has this field. */
export interface SignalMessage<S extends LeaseSignal = LeaseSignal> {
  readonly signal: S
}
