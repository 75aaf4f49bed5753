import { atExit } from '../async/at-exit.ts'
import { clearTimeout, setTimeout } from '../async/clock.ts'
import { interruptible } from '../async/interruptible.ts'
import type { AuditEvent, AuditSink } from '../host/audit-sink.ts'
import type { SandboxEvent } from '../host/event-data.ts'
import { errorCode } from '../sandbox/error-code.ts'
import { isError } from '../sandbox/kinds.ts'
import { AuditFile } from './audit-file.ts'
import type { Destination, Written } from './destination.ts'
import { FunctionDestination } from './function-destination.ts'
import { lineOf } from './line.ts'
import { LineQueue } from './line-queue.ts'
import { type AuditLogOptions, type ResolvedAuditOptions, resolveAuditOptions } from './options.ts'

/** Milliseconds that lines wait for others, to be written with them. */
const delay = 50
/** Milliseconds after which a write that has failed is tried again. */
const retryDelay = 1000
/** Events that wait to become lines, at most. */
const mostPending = 256
/** Bytes that are written at once, where a line is not longer. */
const batchBytes = 256 * 1024
/** Seconds that a flush waits for a destination that does not answer. */
const longestFlush = 5

/** What an audit log has done. Markers of dropped lines do not count as lines. */
export interface AuditStats {
  /** Lines that were written. */
  readonly written: number
  /** Lines that were dropped: the queue was full, `write` or `redact` threw, or the log was closed. */
  readonly dropped: number
  /** Lines that wait to be written. */
  readonly waiting: number
  /** Why the last write failed: a code such as `'ENOSPC'`, or the name of an error; undefined where it did not. */
  readonly problem: string | undefined
}

/** Writes the events of hosts as JSON lines: {@link auditLog} makes one. It keeps no process alive. */
export class AuditLog implements AuditSink {
  /** The events that it writes. */
  readonly events: readonly SandboxEvent[]
  readonly #redact: AuditLogOptions['redact']
  readonly #destination: Destination
  readonly #queue: LineQueue
  readonly #forget: () => void
  #pending: AuditEvent[] = []
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> | undefined
  #problem: unknown
  #closing: Promise<void> | undefined

  /** @internal */
  constructor({ events, redact, maxQueue }: Omit<ResolvedAuditOptions, 'target'>, destination: Destination) {
    this.events = events
    this.#redact = redact
    this.#destination = destination
    this.#queue = new LineQueue(maxQueue)
    this.#forget = atExit(() => this.#endNow())
  }

  /** Takes an event. Never throws, and never waits. */
  record(event: AuditEvent): void {
    if (this.#closing !== undefined) {
      this.#queue.drop()
      return
    }
    this.#pending.push(event)
    if (this.#pending.length >= mostPending) this.#serialize()
    this.#schedule(delay)
  }

  /** What it has done so far. */
  stats(): AuditStats {
    const { written, dropped, waiting } = this.#queue
    return { written, dropped, waiting: waiting + this.#pending.length, problem: nameOf(this.#problem) }
  }

  /**
   * Resolves when the events so far are written, or cannot be now: {@link AuditLog.stats} tells. It waits for at most 5 seconds.
   */
  async flush(): Promise<void> {
    const written = async () => {
      await this.#writing
      await this.#write()
    }
    await interruptible(written(), { seconds: longestFlush }).catch(ignoreTimeout)
  }

  /** Writes what it can, and closes the file. Events that come later count as dropped. Idempotent. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  /** The same as {@link AuditLog.close}, for `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #close(): Promise<void> {
    await this.flush()
    clearTimeout(this.#timer)
    this.#forget()
    // A write that the destination never ends keeps the file.
    if (this.#writing !== undefined) return
    this.#endNow()
    this.#destination.close()
  }

  #schedule(milliseconds: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      void this.#write()
    }, milliseconds).unref()
  }

  /** Makes lines of the events that wait. */
  #serialize(): void {
    const events = this.#pending
    this.#pending = []
    for (const event of events) {
      try {
        const told = this.#redact === undefined ? event : this.#redact(event)
        if (told !== undefined) this.#queue.add(lineOf(told))
      } catch {
        // What the function of a caller throws, or what is no event any more: a line says that one is missing.
        this.#queue.drop()
      }
    }
  }

  #write(): Promise<void> {
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined
    })
    return this.#writing
  }

  /** Writes until nothing waits, or a write fails. */
  async #writeAll(): Promise<void> {
    this.#serialize()
    while (!this.#queue.isEmpty) {
      this.#queue.tellDropped()
      const { text, lines } = this.#queue.next(batchBytes)
      const end = await this.#destination.write(text)
      this.#settle(end)
      if (end.written < lines) {
        clearTimeout(this.#timer)
        this.#timer = undefined
        this.#schedule(retryDelay)
        return
      }
    }
  }

  #settle({ written, lost, error }: Written): void {
    this.#queue.wrote(written)
    this.#queue.lost(lost)
    this.#problem = error
  }

  /** Writes what is left before the process ends. */
  #endNow(): void {
    this.#serialize()
    const settled = this.#destination.settle()
    if (settled !== undefined) this.#queue.wrote(settled)
    this.#queue.tellDropped()
    while (this.#queue.waiting > 0) {
      const { text, lines } = this.#queue.next(batchBytes)
      const end = this.#destination.writeNow(text)
      this.#settle(end)
      if (end.written < lines) return
    }
  }
}

/**
 * Makes a log of events for the option `audit` of hosts: of each event one line of JSON, in order, in a file or for a function. No
 * call waits for it. What cannot be written is dropped, and a line tells how many lines are missing.
 *
 * @throws {SandboxConfigError} naming the option that is not valid, or `file` where the file cannot be opened
 */
export function auditLog(options: AuditLogOptions): AuditLog {
  const resolved = resolveAuditOptions(options)
  const { target } = resolved
  return new AuditLog(
    resolved,
    'write' in target ? new FunctionDestination(target.write) : new AuditFile(target),
  )
}

function nameOf(problem: unknown): string | undefined {
  if (problem === undefined) return undefined
  if (!isError(problem)) return 'UNKNOWN'
  return errorCode(problem) ?? problem.name
}

function ignoreTimeout(error: unknown): void {
  if (error !== undefined) throw error
}
