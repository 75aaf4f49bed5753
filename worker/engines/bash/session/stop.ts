import { setMaxListeners } from 'node:events'
import type { StopReason } from '../../../service/command-output.ts'

/** What is thrown where just-bash looks at no signal: in loops of awk, sed and jq. */
class StoppedError extends Error {
  override readonly name = 'StoppedError'
}

/** Milliseconds in which a script that must end may leave by itself, with its variables. */
const GRACE = 100

/** A part of a command that has a time limit of its own. */
interface Limit {
  readonly deadline: number
  readonly signal: AbortSignal
  /** When it was seen that the time is over. */
  over: number | undefined
}

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
  /** Those that run, the outermost one first. */
  readonly #limits: Limit[] = []

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

  /** The signal of what waits: also of its {@link limited} part. */
  get waiting(): AbortSignal {
    return this.#limits.at(-1)?.signal ?? this.signal
  }

  /** Whether the time of a {@link limited} part that runs is over. */
  get isOver(): boolean {
    return !this.#paused && this.#limits.some((limit) => this.#isOver(limit))
  }

  /** Whether what runs must end: bodies of loops and functions are `exit` then. */
  get ending(): boolean {
    return this.isOver || (!this.#paused && this.#isEnded())
  }

  /** While the state of a stopped script is saved, nothing stops. */
  set paused(value: boolean) {
    this.#paused = value
  }

  /** Begins a command that may take `milliseconds`. */
  begin(milliseconds: number): AbortSignal {
    this.#reason = undefined
    this.#controller = new AbortController()
    this.#deadline = this.#now() + milliseconds
    // A command that waits, such as sleep, hears of the end by the signal's event.
    this.#timer = setTimeout(() => this.#wake(), milliseconds + 1)
    return signalOf(this.#controller, () => this.#isStopped())
  }

  /** Runs a part of the command that may take `milliseconds`. Tells what came of it, and whether its time was over. */
  async limited<T>(
    milliseconds: number,
    run: (signal: AbortSignal) => Promise<T>,
  ): Promise<{ readonly value: T; readonly isOver: boolean }> {
    const outer = this.waiting
    const controller = new AbortController()
    const isStopped = () => outer.aborted || this.#isOver(limit)
    const limit: Limit = {
      deadline: this.#now() + milliseconds,
      signal: signalOf(controller, isStopped),
      over: undefined,
    }
    const abort = () => controller.abort()
    const timer = setTimeout(() => this.#isOver(limit) && abort(), milliseconds + 1)
    outer.addEventListener('abort', abort)
    this.#limits.push(limit)
    try {
      const value = await run(limit.signal)
      return { value, isOver: limit.over !== undefined && !this.#isEnded() }
    } finally {
      this.#limits.pop()
      outer.removeEventListener('abort', abort)
      clearTimeout(timer)
    }
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
    if (this.#isEnded()) this.#controller.abort()
  }

  /** Whether the whole command must end. */
  #isEnded(): boolean {
    if (this.#reason !== undefined) return true
    if (this.#interrupted || this.#isInterrupted()) this.#end('interrupt')
    else if (this.#now() >= this.#deadline) this.#end('timeout')
    return this.#reason !== undefined
  }

  /** Whether it did not end by itself. What it had set is lost then. */
  #isStopped(): boolean {
    return !this.#paused && this.#isEnded() && this.#now() >= this.#since + GRACE
  }

  #isOver(limit: Limit): boolean {
    if (limit.over === undefined && this.#now() >= limit.deadline) limit.over = this.#now()
    return limit.over !== undefined
  }

  #end(reason: StopReason): void {
    this.#reason = reason
    this.#since = this.#now()
  }
}

/** A signal whose `aborted` asks, since its event may come too late. */
function signalOf({ signal }: AbortController, isAborted: () => boolean): AbortSignal {
  // Each shell inside another listens to it: Node would warn of a leak where eleven are.
  setMaxListeners(0, signal)
  Object.defineProperty(signal, 'aborted', { get: isAborted })
  return signal
}
