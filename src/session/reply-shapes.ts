import type {
  ApplyReport,
  ChangeReport,
  CommandOutput,
  ConflictData,
  FileChange,
  FileEntry,
  Outcome,
  ShellDescription,
} from '../contract/shell-api.ts'
import type { LostSignal, SignalMessage } from '../contract/signals.ts'
import {
  isErrorData,
  isListOf,
  isLossData,
  isOutput,
  isRecord,
  isText,
  isTextOrAbsent,
} from '../sandbox/error-shapes.ts'

const kinds: Record<FileChange['kind'], true> = { file: true, directory: true, link: true }
const changes: Record<FileChange['change'], true> = { added: true, changed: true, removed: true }

/** True for a reply of the contract's shape, whatever its value is. */
export function isOutcome(reply: unknown): reply is Outcome<unknown> {
  if (!isRecord(reply)) return false
  if (reply['conflicts'] !== undefined && !isListOf(reply['conflicts'], isConflict)) return false
  return reply['ok'] === true ? 'value' in reply : reply['ok'] === false && isErrorData(reply['error'])
}

/** True for a worker's signal that its session is over. */
export function isLostSignal(message: unknown): message is SignalMessage<LostSignal> {
  if (!isRecord(message) || !isRecord(message['signal'])) return false
  return message['signal']['kind'] === 'lost' && isLossData(message['signal']['loss'])
}

export function isCommandOutput(value: unknown): value is CommandOutput {
  return isOutput(value)
}

/** @param most - how many there can be; there is one at least. */
export function isOutputs(value: unknown, most: number): value is CommandOutput[] {
  return isListOf(value, isOutput) && value.length > 0 && value.length <= most
}

export function isBytes(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array && value.buffer instanceof ArrayBuffer
}

export function isBuffer(value: unknown): value is ArrayBuffer {
  return value instanceof ArrayBuffer
}

export function isNull(value: unknown): value is null {
  return value === null
}

export function isOptionalText(value: unknown): value is string | null {
  return value === null || typeof value === 'string'
}

export function isEntries(value: unknown): value is FileEntry[] {
  return isListOf(value, isEntry)
}

export function isDescription(value: unknown): value is ShellDescription {
  return (
    isRecord(value) &&
    ['credentials', 'allowedUrls'].every((field) => Array.isArray(value[field])) &&
    isListOf(value['binds'], isBind) &&
    isListOf(value['skipped'], isSkipped) &&
    isRecord(value['env']) &&
    isRecord(value['limits']) &&
    typeof value['umask'] === 'number' &&
    typeof value['timeout'] === 'number'
  )
}

export function isChangeReport(value: unknown): value is ChangeReport {
  return isRecord(value) && isText(value['mark']) && isListOf(value['changes'], isFileChange)
}

export function isApplyReport(value: unknown): value is ApplyReport {
  return (
    isRecord(value) &&
    isListOf(value['written'], isText) &&
    isListOf(value['removed'], isText) &&
    isListOf(value['conflicts'], isConflict)
  )
}

function isConflict(value: unknown): value is ConflictData {
  return (
    isRecord(value) && isText(value['path']) && isText(value['hostPath']) && isTextOrAbsent(value['kept'])
  )
}

function isFileChange(value: unknown): value is FileChange {
  return (
    isRecord(value) &&
    isText(value['bind']) &&
    isText(value['path']) &&
    isOneOf(kinds, value['kind']) &&
    isOneOf(changes, value['change'])
  )
}

function isOneOf(words: object, value: unknown): boolean {
  return isText(value) && Object.hasOwn(words, value)
}

function isBind(value: unknown): value is ShellDescription['binds'][number] {
  return (
    isRecord(value) &&
    isText(value['source']) &&
    isText(value['destination']) &&
    isText(value['mode']) &&
    typeof value['readonly'] === 'boolean' &&
    (value['exclude'] === undefined || isListOf(value['exclude'], isText))
  )
}

function isSkipped(value: unknown): value is ShellDescription['skipped'][number] {
  return isRecord(value) && isText(value['bind']) && isText(value['path']) && isText(value['reason'])
}

function isEntry(value: unknown): value is FileEntry {
  return (
    isRecord(value) &&
    typeof value['name'] === 'string' &&
    typeof value['isDir'] === 'boolean' &&
    Number.isSafeInteger(value['size'])
  )
}
