import type { LostSignal, SignalMessage } from '../contract/signals.ts'
import { lossSchema } from '../sandbox/error-schema.ts'
import { exactly, matches, objectOf } from '../sandbox/schema-parts.ts'

const lostSignalSchema = objectOf<SignalMessage<LostSignal>>({
  signal: objectOf<LostSignal>({ kind: exactly('lost'), loss: lossSchema }),
})

/** True for a worker's signal that its session is over. */
export function isLostSignal(message: unknown): message is SignalMessage<LostSignal> {
  return matches(lostSignalSchema, message)
}
