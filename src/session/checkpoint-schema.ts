import type { CheckpointContent, CheckpointEntry, CheckpointPart } from '../contract/checkpoint.ts'
import type { CheckpointSignal, SignalMessage } from '../contract/signals.ts'
import { isRecord } from '../sandbox/is-record.ts'
import { isOwnBytes } from '../sandbox/kinds.ts'
import { count, flag, listOf, matches, objectOf, orAbsent, text, valueThat } from '../sandbox/schema-parts.ts'

const partSchema = objectOf<CheckpointPart>({
  contents: listOf(
    objectOf<CheckpointContent>({
      id: count,
      bytes: valueThat(
        (value): value is Uint8Array<ArrayBuffer> =>
          isOwnBytes(value) && value.byteLength === value.buffer.byteLength,
      ),
    }),
  ),
  entries: listOf(objectOf<CheckpointEntry>({ key: text, value: text, content: orAbsent(count) })),
  forgotten: listOf(text),
  last: flag,
})

/** True for a signal that says of itself that it is a checkpoint. */
export function claimsCheckpoint(message: unknown): message is SignalMessage<CheckpointSignal> {
  return isRecord(message) && isRecord(message['signal']) && message['signal']['kind'] === 'checkpoint'
}

/** True for a part of a checkpoint of the contract's shape, or null. */
export function isCheckpointPart(part: unknown): part is CheckpointPart | null {
  return part === null || matches(partSchema, part)
}
