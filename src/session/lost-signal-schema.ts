import type { LostSignal, SignalMessage } from '../contract/signals.ts'
import { lossSchema } from '../sandbox/error-schema.ts'
import { isRecord } from '../sandbox/is-record.ts'
import { exactly, matches, objectOf } from '../sandbox/schema-parts.ts'

const lostSignalSchema = objectOf<SignalMessage<LostSignal>>({
  signal: objectOf<LostSignal>({ kind: exactly('lost'), loss: lossSchema }),
})

/** True for a worker's signal that its session is over. */
export function isLostSignal(message: unknown): message is SignalMessage<LostSignal> {
  // Every reply is asked: refusing one by the schema takes 8 us.
  return isRecord(message) && 'signal' in message && matches(lostSignalSchema, message)
}
