import { resolve } from 'node:path'
import type { AuditEvent } from '../host/audit-sink.ts'
import { SANDBOX_EVENTS, type SandboxEvent } from '../host/event-data.ts'
import { refuse } from '../sandbox/arguments.ts'
import { optionsOf, within } from '../sandbox/options-of.ts'
import { kindOf, showValue } from '../sandbox/show-value.ts'

/** Where an audit log is written, and what of it. Exactly one of `file` and `write` is given. */
export interface AuditLogOptions {
  /**
   * The path of the file. It is made with the mode 0600 where there is none. A file belongs to one log of one process.
   *
   * @default undefined (`write` is called)
   */
  readonly file?: string | undefined
  /**
   * Takes whole lines, each with its line break. It is called with one piece at a time, of 256 KiB or one line, and the next
   * one waits for its promise. What it throws is not thrown on: the lines of the piece count as dropped.
   *
   * @default undefined (`file` is written)
   */
  readonly write?: ((lines: string) => unknown) | undefined
  /**
   * Has the last word on each event before it is written: gives the event, a copy of it with other values, or undefined for
   * none. An event for which it throws, or gives anything else, counts as dropped.
   *
   * @default undefined (events are written as they are)
   */
  readonly redact?: ((event: AuditEvent) => AuditEvent | undefined) | undefined
  /**
   * The events that are written, or `'all'`.
   *
   * @default all but `'idle'`
   */
  readonly events?: readonly SandboxEvent[] | 'all' | undefined
  /**
   * Bytes of a file: before a line would exceed them, the file is renamed to `FILE.1`, that to `FILE.2`, and so on. From 1024
   * to 2^40. A longer line has a file for itself.
   *
   * @default 67108864 (64 MiB)
   */
  readonly maxBytes?: number | undefined
  /**
   * Renamed files that are kept, from 1 to 1000.
   *
   * @default 5
   */
  readonly keep?: number | undefined
  /**
   * Bytes of lines that wait to be written, from 1024 to 2^30. Past them lines are dropped, and a line tells how many.
   *
   * @default 16777216 (16 MiB)
   */
  readonly maxQueue?: number | undefined
}

/** {@link AuditLogOptions} with everything present and valid. */
export interface ResolvedAuditOptions {
  readonly target:
    | { readonly file: string; readonly maxBytes: number; readonly keep: number }
    | { readonly write: (lines: string) => unknown }
  readonly redact: AuditLogOptions['redact']
  readonly events: readonly SandboxEvent[]
  readonly maxQueue: number
}

const names = ['file', 'write', 'redact', 'events', 'maxBytes', 'keep', 'maxQueue'] as const

/** Reads each option once. @throws SandboxConfigError naming the one that is not valid */
export function resolveAuditOptions(options: unknown): ResolvedAuditOptions {
  const given = optionsOf<AuditLogOptions>(options, names)
  const { redact, maxQueue = 16 * 2 ** 20 } = given
  if (redact !== undefined && !isFunctionOf<AuditEvent, AuditEvent | undefined>(redact)) {
    throw refuse('redact', `must be a function, but is ${kindOf(redact)}.`)
  }
  return {
    target: targetOf(given),
    redact,
    events: eventsOf(given.events),
    maxQueue: within('maxQueue', maxQueue, { least: 1024, most: 2 ** 30, unit: 'bytes', isWhole: true }),
  }
}

function targetOf({
  file,
  write,
  maxBytes,
  keep,
}: { readonly [Name in keyof AuditLogOptions]?: unknown }): ResolvedAuditOptions['target'] {
  if ((file === undefined) === (write === undefined)) {
    const what = file === undefined ? 'neither is given' : 'both are given'
    throw refuse('file', `or write says where the lines go, one of them, but ${what}.`)
  }
  if (write === undefined) {
    if (typeof file !== 'string' || file === '' || file.includes('\0')) {
      throw refuse('file', `must be the path of a file, but is ${showValue(file)}.`)
    }
    return {
      file: resolve(file),
      maxBytes: within('maxBytes', maxBytes ?? 64 * 2 ** 20, {
        least: 1024,
        most: 2 ** 40,
        unit: 'bytes',
        isWhole: true,
      }),
      keep: within('keep', keep ?? 5, { least: 1, most: 1000, unit: 'files', isWhole: true }),
    }
  }
  if (!isFunctionOf<string, unknown>(write)) {
    throw refuse('write', `must be a function, but is ${kindOf(write)}.`)
  }
  const [unused] = Object.entries({ maxBytes, keep }).find(([, value]) => value !== undefined) ?? []
  if (unused !== undefined) throw refuse(unused, 'is an option of a log with a file. Leave it out.')
  return { write }
}

function eventsOf(events: unknown): readonly SandboxEvent[] {
  if (events === undefined) return SANDBOX_EVENTS.filter((kind) => kind !== 'idle')
  if (events === 'all') return SANDBOX_EVENTS
  if (!Array.isArray(events) || events.length === 0) {
    throw refuse('events', `must be 'all' or an array of events, but is ${kindOf(events)}.`)
  }
  const asked: readonly unknown[] = [...events]
  const unknown = asked.find((kind) => !SANDBOX_EVENTS.some((known) => known === kind))
  if (unknown !== undefined || asked.includes(undefined)) {
    throw refuse('events', `must have only ${SANDBOX_EVENTS.join(', ')}, but has ${showValue(unknown)}.`)
  }
  return SANDBOX_EVENTS.filter((kind) => asked.includes(kind))
}

function isFunctionOf<Input, Output>(value: unknown): value is (input: Input) => Output {
  return typeof value === 'function'
}
