import { COMMAND_CALL_BOUNDS } from '../contract/host-commands.ts'
import type {
  CommandEndSignal,
  CommandSignal,
  FileDoneSignal,
  OutputSignal,
  SignalMessage,
} from '../contract/signals.ts'
import { isRecord } from '../sandbox/is-record.ts'
import { isOwnBytes } from '../sandbox/kinds.ts'
import {
  count,
  eitherOf,
  exactly,
  matches,
  objectOf,
  oneOf,
  text,
  valueThat,
} from '../sandbox/schema-parts.ts'
import {
  type CheckedEgressSignal,
  egressEndSignalSchema,
  egressSignalSchema,
} from './egress-signal-schema.ts'
import { outcomeSchema } from './outcome-schema.ts'

/** What a worker asks of its caller while a call runs. */
export type CallerSignal =
  | OutputSignal
  | CommandSignal
  | CommandEndSignal
  | FileDoneSignal
  | CheckedEgressSignal

const { words, characters, stdin } = COMMAND_CALL_BOUNDS

const someText = valueThat((value): value is string => typeof value === 'string' && value !== '')

const callerSignalSchema = eitherOf<CallerSignal>([
  objectOf<OutputSignal>({
    kind: exactly('output'),
    call: count,
    stream: oneOf<OutputSignal['stream']>({ stdout: true, stderr: true }),
    text: someText,
  }),
  objectOf<CommandSignal>({
    kind: exactly('command'),
    id: count,
    call: count,
    name: text,
    args: valueThat((value): value is readonly string[] => isShortList(value, isText)),
    stdin: valueThat((value): value is Uint8Array => isBytes(value) && value.byteLength <= stdin),
    cwd: text,
    env: valueThat((value): value is CommandSignal['env'] => isShortList(value, isVariable)),
  }),
  egressSignalSchema,
  egressEndSignalSchema,
  objectOf<CommandEndSignal>({ kind: exactly('commandEnd'), id: count }),
  objectOf<FileDoneSignal>({
    kind: exactly('fileDone'),
    id: count,
    outcome: valueThat((value): value is FileDoneSignal['outcome'] => isFileOutcome(value)),
  }),
])

/** True for a signal of a worker that asks something of the caller, of the contract's shape and size. */
export function isCallerSignal(message: unknown): message is SignalMessage<CallerSignal> {
  return isRecord(message) && 'signal' in message && matches(callerSignalSchema, message['signal'])
}

function isFileOutcome(value: unknown): boolean {
  if (!matches(outcomeSchema, value)) return false
  return !value.ok || value.value === null || isBytes(value.value)
}

function isBytes(value: unknown): value is Uint8Array {
  return isOwnBytes(value)
}

const isText = (value: unknown): value is string => typeof value === 'string'

function isVariable(value: unknown): value is readonly [string, string] {
  return Array.isArray(value) && value.length === 2 && isText(value[0]) && isText(value[1])
}

/** An array without holes, within the bounds of a call. */
function isShortList(value: unknown, isItem: (item: unknown) => boolean): boolean {
  if (!Array.isArray(value) || value.length > words) return false
  let length = 0
  for (const item of value) {
    if (!isItem(item)) return false
    length += lengthOf(item)
  }
  return length <= characters
}

const lengthOf = (item: string | readonly string[]): number =>
  typeof item === 'string' ? item.length : item.reduce((length, part) => length + part.length, 0)
