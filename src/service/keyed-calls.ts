import { performance } from '../async/clock.ts'
import { ServiceProblem } from './service-problem.ts'

/** Calls that are remembered at once, at most. */
const mostCalls = 500_000
/** Bytes of the outcomes that are remembered. */
const mostBytes = 64 * 2 ** 20

/** What a key stands for. */
interface KeyedCall<Call> {
  /** Of the request: another one must not have the same key. */
  readonly digest: string
  /** Undefined where its outcome is not there any more. */
  call: Call | undefined
  /** Of its outcome. */
  bytes: number
  /** When it may be forgotten, in milliseconds of the clock; undefined while it is under way. */
  until: number | undefined
}

/** Remembers which calls were made, so that each has its effect once. */
export class KeyedCalls<Call extends object> {
  readonly #seconds: number
  readonly #underWay = new Map<string, KeyedCall<Call>>()
  /** Those that have ended, in the order in which they did. In a map of their own: one whose entries move has to be made anew again and again. */
  readonly #over = new Map<string, KeyedCall<Call>>()
  #bytes = 0

  /** @param seconds - that the outcome of a call is remembered. */
  constructor(seconds: number) {
    this.#seconds = seconds
  }

  get size(): number {
    return this.#underWay.size + this.#over.size
  }

  /**
   * The call with a key, or else the one that `begin` makes now.
   *
   * @param digest - of the request.
   * @throws {ServiceProblem} where the key was that of another request, where the outcome is not there any more, and where
   *   there are too many keys
   */
  once(key: string, digest: string, begin: () => Call): { readonly call: Call; readonly isNew: boolean } {
    const known = this.#find(key)
    if (known === undefined) {
      this.#forget()
      if (this.size >= mostCalls) {
        const problem = `The service remembers ${mostCalls} idempotency keys. Try again later.`
        throw new ServiceProblem('UNAVAILABLE', problem, { headers: { 'retry-after': '10' } })
      }
      const entry: KeyedCall<Call> = { digest, call: undefined, bytes: 0, until: undefined }
      this.#underWay.set(key, entry)
      try {
        entry.call = begin()
        return { call: entry.call, isNew: true }
      } catch (error) {
        this.#remove(key)
        throw error
      }
    }
    if (known.digest !== digest)
      throw new ServiceProblem('KEY_REUSED', 'This idempotency key was that of another request.')
    if (known.call !== undefined) return { call: known.call, isNew: false }
    throw new ServiceProblem(
      'RESULT_GONE',
      'The call with this key has ended, and its result is not kept any more.',
    )
  }

  /** Whether a call with a key is under way, or has ended not long ago. */
  has(key: string): boolean {
    return this.#find(key) !== undefined
  }

  /** The call with a key, where it is remembered. */
  get(key: string): Call | undefined {
    return this.#find(key)?.call
  }

  /** A call has ended. @param bytes - of its outcome. */
  ended(key: string, bytes: number): void {
    const entry = this.#underWay.get(key)
    if (entry === undefined) return
    entry.until = performance.now() + this.#seconds * 1000
    entry.bytes += bytes
    this.#bytes += bytes
    this.#underWay.delete(key)
    this.#over.set(key, entry)
    this.#forget()
    if (this.#bytes > mostBytes) this.#shrink()
  }

  /** A call has never begun: its key is free again. */
  neverBegan(key: string): void {
    this.#remove(key)
  }

  /** Forgets calls whose time is over: the oldest come first. */
  #forget(): void {
    const now = performance.now()
    for (const [key, { until }] of this.#over) {
      if (until !== undefined && until > now) return
      this.#remove(key)
    }
  }

  /** Drops outcomes, the oldest first. That the calls were made stays known. */
  #shrink(): void {
    for (const entry of this.#over.values()) {
      if (this.#bytes <= mostBytes / 2) return
      if (entry.call === undefined) continue
      entry.call = undefined
      this.#bytes -= entry.bytes
      entry.bytes = 0
    }
  }

  #remove(key: string): void {
    this.#bytes -= this.#over.get(key)?.bytes ?? 0
    this.#over.delete(key)
    this.#underWay.delete(key)
  }

  #find(key: string): KeyedCall<Call> | undefined {
    return this.#underWay.get(key) ?? this.#over.get(key)
  }
}
