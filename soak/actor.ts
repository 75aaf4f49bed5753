import { setTimeout as sleep } from 'node:timers/promises'
import { type Act, ActOver, type Role } from './act.ts'
import type { Gate } from './gate.ts'
import { Random } from './random.ts'
import { Violation } from './violation.ts'
import type { World } from './world.ts'

/** How many of the last steps of an actor are told. */
const remembered = 12

/** One that acts until the run is over, step by step. */
export class Actor {
  readonly name: string
  steps = 0
  readonly #role: Role
  readonly #gate: Gate | undefined
  readonly #trace: string[] = []

  /** `gate` is that of its house; without one it acts while others are to rest. */
  constructor(name: string, role: Role, gate?: Gate) {
    this.name = name
    this.#role = role
    this.#gate = gate
  }

  /** What it did last, the newest at the end. */
  get trace(): readonly string[] {
    return this.#trace
  }

  /** Acts, with a rest of `pace` seconds in the mean between two acts, until the world stops. */
  async live(world: World, pace: number): Promise<void> {
    const { stopping, seed } = world
    try {
      while (!stopping.aborted) {
        const { rest, act } = this.#decide(seed, this.steps)
        await this.#step(act)
        await sleep(rest * 2000 * pace, undefined, { signal: stopping }).catch(() => undefined) // The end is looked for above.
      }
      await this.#role.end()
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      world.fail(new Violation(`${this.name}, step ${this.steps - 1}: ${message}`, { cause: error }))
    }
  }

  /** The first acts that it chooses under this seed, without doing them. */
  foresee(seed: number, steps: number): readonly string[] {
    return Array.from({ length: steps }, (_, step) => this.#decide(seed, step).act.text)
  }

  #decide(seed: number, step: number): { readonly rest: number; readonly act: Act<void> } {
    const random = new Random(seed, `${this.name}/${step}`)
    return { rest: random.next(), act: this.#role.choose(random) }
  }

  async #step({ text, play }: Act<void>): Promise<void> {
    const at = this.#note(`${this.steps++} at ${(performance.now() / 1000).toFixed(1)} s: ${text}`)
    await this.#gate?.enter()
    try {
      await play()
    } catch (error) {
      this.#trace[at()] += error instanceof ActOver ? ` (${error.message})` : ` !! ${String(error)}`
      if (!(error instanceof ActOver)) throw error
    } finally {
      this.#gate?.leave()
    }
  }

  /** Where the line is found that was noted. */
  #note(line: string): () => number {
    this.#trace.push(line)
    if (this.#trace.length > remembered) this.#trace.shift()
    return () => this.#trace.length - 1
  }
}
