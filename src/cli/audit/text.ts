import { foreignText } from '../../sandbox/message-text.ts'
import type { LogLine } from './line.ts'

/** What every event has, and which a line shows in front or not at all. */
const common = new Set([
  'kind',
  'time',
  'id',
  'sandbox',
  'labels',
  'isolation',
  'shell',
  'generation',
  'sequence',
])

/** A line of a log for people: one line, in which nothing acts on a terminal. */
export function textOf({ kind, time, fields }: LogLine): string {
  const parts = [time, sandboxOf(fields), kind, ...detailsOf(kind, fields)]
  return `${parts.map((part) => foreignText(part)).join('  ')}\n`
}

function sandboxOf({ id, sandbox }: LogLine['fields']): string {
  if (typeof id === 'string') return id
  return typeof sandbox === 'number' && sandbox > 0 ? `#${sandbox}` : '-'
}

function detailsOf(kind: string, fields: LogLine['fields']): readonly string[] {
  switch (kind) {
    case 'command':
      return [statusOf(fields), milliseconds(fields['durationMs']), commandOf(fields)]
    case 'file':
      return [statusOf(fields), milliseconds(fields['durationMs']), pathsOf(fields)]
    default:
      return othersOf(fields)
  }
}

function statusOf({ error, denied, exitCode, timedOut }: LogLine['fields']): string {
  if (denied === true) return 'denied'
  if (typeof error === 'string') return error
  if (timedOut === true) return 'timed out'
  return exitCode === undefined ? 'ok' : `exit ${shown(exitCode)}`
}

function commandOf({ language, command, length }: LogLine['fields']): string {
  const text = shown(command)
  const isCut = typeof length === 'number' && length > text.length && text.length >= 4096
  return `${language === undefined ? '' : `${shown(language)}: `}${text}${isCut ? '…' : ''}`
}

function pathsOf({ operation, path, to }: LogLine['fields']): string {
  return `${shown(operation)} ${shown(path)}${to === undefined ? '' : ` ${shown(to)}`}`
}

/** Every other field, by name. */
function othersOf(fields: LogLine['fields']): readonly string[] {
  return Object.entries(fields)
    .filter(([name]) => !common.has(name))
    .map(([name, value]) => `${name}=${name === 'durationMs' ? milliseconds(value) : shown(value)}`)
}

function milliseconds(value: unknown): string {
  return typeof value === 'number' ? `${Math.round(value * 10) / 10} ms` : '-'
}

function shown(value: unknown): string {
  if (typeof value === 'string') return value
  return JSON.stringify(value) ?? '-'
}
