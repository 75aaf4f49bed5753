import { createHistogram, type RecordableHistogram } from 'node:perf_hooks'
import type { ErrorCode } from '../contract/errors.ts'
import type { CloseReason } from './end-reasons.ts'

/** How long something took, in milliseconds. All 0 where `count` is. */
export interface Durations {
  /** How many were measured. */
  readonly count: number
  /** The arithmetic mean. */
  readonly mean: number
  /** The median. */
  readonly p50: number
  /** What 99 of 100 did not exceed. */
  readonly p99: number
  /** The longest. */
  readonly max: number
}

/** What a host counts over its life. */
export interface Totals {
  /** Most sandboxes with a session at once. */
  readonly peak: number
  /** Sandboxes whose first session opened. */
  readonly opened: number
  /** Fresh sessions after lost ones. */
  readonly reopened: number
  /** Sessions that were lost. */
  readonly lost: number
  /** How often a session was stored and gave its place up. */
  readonly hibernations: number
  /** How often a session came out of the store. */
  readonly wakes: number
  /** Checkpoints that were put into the store. */
  readonly checkpoints: number
  /** Sandboxes that were closed, by reason. */
  readonly closed: Readonly<Partial<Record<CloseReason, number>>>
  /** Calls that have settled. */
  readonly calls: number
  /** Calls and openings that rejected, by code. */
  readonly errors: Readonly<Partial<Record<ErrorCode, number>>>
  /** What sandboxes that had to wait for a place waited. */
  readonly queueWait: Durations
  /** What opening a session took, without the wait. */
  readonly openTime: Durations
  /** What waking a session took, from the call that woke it until it could run: the wait for a place, the store, the opening. */
  readonly wakeTime: Durations
  /** What calls took, from the call until it settled. */
  readonly callTime: Durations
}

/** The counters and histograms of a host: a few writes a call. */
export class Figures {
  peak = 0
  opened = 0
  reopened = 0
  lost = 0
  hibernations = 0
  wakes = 0
  checkpoints = 0
  calls = 0
  readonly #closed: Partial<Record<CloseReason, number>> = {}
  readonly #errors: Partial<Record<ErrorCode, number>> = {}
  readonly #queueWait = createHistogram()
  readonly #openTime = createHistogram()
  readonly #wakeTime = createHistogram()
  readonly #callTime = createHistogram()

  closed(reason: CloseReason): void {
    this.#closed[reason] = (this.#closed[reason] ?? 0) + 1
  }

  failed(code: ErrorCode): void {
    this.#errors[code] = (this.#errors[code] ?? 0) + 1
  }

  waited(milliseconds: number): void {
    record(this.#queueWait, milliseconds)
  }

  built(milliseconds: number): void {
    record(this.#openTime, milliseconds)
  }

  woke(milliseconds: number): void {
    this.wakes += 1
    record(this.#wakeTime, milliseconds)
  }

  called(milliseconds: number): void {
    this.calls += 1
    record(this.#callTime, milliseconds)
  }

  totals(): Totals {
    const { peak, opened, reopened, lost, hibernations, wakes, checkpoints, calls } = this
    return {
      peak,
      opened,
      reopened,
      lost,
      hibernations,
      wakes,
      checkpoints,
      calls,
      closed: { ...this.#closed },
      errors: { ...this.#errors },
      queueWait: durations(this.#queueWait),
      openTime: durations(this.#openTime),
      wakeTime: durations(this.#wakeTime),
      callTime: durations(this.#callTime),
    }
  }
}

/** Histograms hold whole numbers from 1: microseconds. */
function record(histogram: RecordableHistogram, milliseconds: number): void {
  histogram.record(Math.max(1, Math.round(milliseconds * 1000)))
}

function durations(histogram: RecordableHistogram): Durations {
  const { count } = histogram
  if (count === 0) return { count: 0, mean: 0, p50: 0, p99: 0, max: 0 }
  return {
    count,
    mean: histogram.mean / 1000,
    p50: histogram.percentile(50) / 1000,
    p99: histogram.percentile(99) / 1000,
    max: histogram.max / 1000,
  }
}
