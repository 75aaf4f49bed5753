import { setTimeout as sleep } from 'node:timers/promises'
import { type Action, ActionEnded, type Role } from './action.ts'
import type { SoakContext } from './context.ts'
import { Random } from './random.ts'
import type { SharedLock } from './shared-lock.ts'
import { Violation } from './violation.ts'

/** How many of the last steps of an actor are kept for the report. */
const remembered = 12

/** Performs one action after another until the run ends. */
export class Actor {
  readonly name: string
  steps = 0
  readonly #role: Role
  readonly #lock: SharedLock | undefined
  readonly #trace: string[] = []

  /** `lock` is held during each action. An actor without one also acts while others are paused. */
  constructor(name: string, role: Role, lock?: SharedLock) {
    this.name = name
    this.#role = role
    this.#lock = lock
  }

  /** The last steps, the newest at the end. */
  get trace(): readonly string[] {
    return this.#trace
  }

  /** Performs actions with a mean pause of `pace` seconds until the run stops. */
  async run(context: SoakContext, pace: number): Promise<void> {
    const { stopping, seed } = context
    try {
      while (!stopping.aborted) {
        const { rest, action } = this.#decide(seed, this.steps)
        await this.#step(action)
        await sleep(rest * 2000 * pace, undefined, { signal: stopping }).catch(() => undefined) // The loop condition checks for the end.
      }
      await this.#role.end()
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      context.fail(new Violation(`${this.name}, step ${this.steps - 1}: ${message}`, { cause: error }))
    }
  }

  /** The texts of the first actions under this seed, without performing them. */
  planned(seed: number, steps: number): readonly string[] {
    return Array.from({ length: steps }, (_, step) => this.#decide(seed, step).action.text)
  }

  #decide(seed: number, step: number): { readonly rest: number; readonly action: Action<void> } {
    const random = new Random(seed, `${this.name}/${step}`)
    return { rest: random.next(), action: this.#role.choose(random) }
  }

  async #step({ text, perform }: Action<void>): Promise<void> {
    const at = this.#note(`${this.steps++} at ${(performance.now() / 1000).toFixed(1)} s: ${text}`)
    await this.#lock?.acquire()
    try {
      await perform()
    } catch (error) {
      this.#trace[at()] += error instanceof ActionEnded ? ` (${error.message})` : ` !! ${String(error)}`
      if (!(error instanceof ActionEnded)) throw error
    } finally {
      this.#lock?.release()
    }
  }

  /** Adds a line to the trace. The result gives the current index of the line. */
  #note(line: string): () => number {
    this.#trace.push(line)
    if (this.#trace.length > remembered) this.#trace.shift()
    return () => this.#trace.length - 1
  }
}
