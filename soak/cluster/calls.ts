import { performance } from 'node:perf_hooks'
import { interruptible } from '../../src/async/interruptible.ts'
import { isSandboxError } from '../../src/sandbox/known-error.ts'
import { demand, Violation } from '../violation.ts'

/** What a call may reject with while nodes are killed. */
const expected: ReadonlySet<string> = new Set([
  'WORKER_LOST',
  'CLUSTER_UNAVAILABLE',
  'HOST_SATURATED',
  'TIMEOUT',
])

/** How a call has ended. */
export type End<T> =
  | { readonly value: T }
  /** Whether it may have run. */
  | { readonly started: boolean }

/** The calls of a chaos: what they reject with, and how long they take. */
export class Calls {
  readonly ends = new Map<string, number>()
  readonly #settleTime: number
  readonly #seconds: number[] = []

  /** @param settleTime - seconds in which every call settles. */
  constructor(settleTime = 15) {
    this.#settleTime = settleTime
  }

  /** Makes a call. @throws {Violation} where it takes too long, or rejects with what no fault explains */
  async make<T>(what: string, call: () => Promise<T>): Promise<End<T>> {
    const start = performance.now()
    const settled = call().then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    )
    const end = await interruptible(settled, {
      seconds: this.#settleTime,
      onTimeout: () => new Violation(`${what} has not settled within ${this.#settleTime} s.`),
    })
    this.#seconds.push((performance.now() - start) / 1000)
    const code = 'error' in end ? codeOf(end.error) : 'answered'
    this.ends.set(code, (this.ends.get(code) ?? 0) + 1)
    if (!('error' in end)) return end
    demand(expected.has(code), () => `${what} has rejected with ${String(end.error)}.`)
    return { started: code === 'WORKER_LOST' || code === 'TIMEOUT' }
  }

  get count(): number {
    return this.#seconds.length
  }

  /** The seconds that this part of the calls took at most. @param part - from 0 to 1. */
  secondsOf(part: number): number {
    const sorted = this.#seconds.toSorted((one, other) => one - other)
    return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0
  }
}

function codeOf(error: unknown): string {
  return isSandboxError(error) ? error.code : 'unknown'
}
