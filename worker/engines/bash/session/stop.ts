import { setMaxListeners } from 'node:events'

/** Why a command was stopped. */
export type StopReason = 'interrupt' | 'timeout'

/** What is thrown where just-bash looks at no signal: in loops of awk, sed and jq. */
class StoppedError extends Error {
  override readonly name = 'StoppedError'
}

/** Milliseconds in which a script that must end may leave by itself, with its variables. */
const GRACE = 100

/**
 * Stops a command at its next step. just-bash never lets the event loop of its thread turn while it
 * computes, so that the deadline and the host's word are read here, at each statement and coverage hit.
 */
export class Stop {
  readonly #isInterrupted: () => boolean
  #interrupted = false
  readonly #now: () => number
  #deadline = Number.POSITIVE_INFINITY
  #reason: StopReason | undefined
  #since = 0
  #controller = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #steps = 0
  #paused = false

  /** @param isInterrupted - whether the host wants the command to stop; asked at every step. */
  constructor(isInterrupted: () => boolean = () => false, now: () => number = () => performance.now()) {
    this.#isInterrupted = isInterrupted
    this.#now = now
  }

  get reason(): StopReason | undefined {
    return this.#reason
  }

  /** The signal of the command that runs. Shells inside it take this one: just-bash hands on copies. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Whether the command that runs must end: bodies of loops and functions are `exit` then. */
  get ending(): boolean {
    if (this.#paused) return false
    if (this.#reason !== undefined) return true
    if (this.#interrupted || this.#isInterrupted()) this.#end('interrupt')
    else if (this.#now() >= this.#deadline) this.#end('timeout')
    return this.#reason !== undefined
  }

  /** Whether it did not end by itself. What it had set is lost then. */
  get stopped(): boolean {
    return this.ending && this.#now() >= this.#since + GRACE
  }

  /** While the state of a stopped script is saved, nothing stops. */
  set paused(value: boolean) {
    this.#paused = value
  }

  /** Begins a command that may take `milliseconds`. Its signal reads the word whenever it is asked. */
  begin(milliseconds: number): AbortSignal {
    this.#reason = undefined
    this.#controller = new AbortController()
    this.#deadline = this.#now() + milliseconds
    // A command that waits, such as sleep, hears of the end by the signal's event.
    this.#timer = setTimeout(() => this.#wake(), milliseconds + 1)
    const { signal } = this.#controller
    // Each shell inside another listens to it: Node would warn of a leak where eleven are.
    setMaxListeners(0, signal)
    Object.defineProperty(signal, 'aborted', { get: () => this.stopped })
    return signal
  }

  end(): void {
    clearTimeout(this.#timer)
    this.#deadline = Number.POSITIVE_INFINITY
    this.#interrupted = false
  }

  interrupt(): void {
    this.#interrupted = true
    this.#wake()
  }

  /** Called at each step of awk, sed and jq. Looks at the clock at every sixteenth. */
  step(): void {
    this.#steps = (this.#steps + 1) & 15
    if (this.#steps === 0 && this.ending) throw new StoppedError('stopped')
  }

  #wake(): void {
    if (this.ending) this.#controller.abort()
  }

  #end(reason: StopReason): void {
    this.#reason = reason
    this.#since = this.#now()
  }
}
