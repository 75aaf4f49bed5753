import { type Plan, type Repertoire, type Role, roleOf } from '../act.ts'
import { hostOptions } from '../house.ts'
import { Life } from '../life.ts'
import { demandSame } from '../violation.ts'
import type { World } from '../world.ts'
import { use } from './passer-by.ts'

/** An actor that does nothing out of the ordinary, on a host of its own: its cell lives as long as the run. */
class Regular {
  readonly #name: string
  readonly #world: World
  #host: ReturnType<World['openHost']> | undefined
  #marks = 0

  constructor(name: string, world: World) {
    this.#name = name
    this.#world = world
  }

  /** Opens a sandbox, uses it and closes it. */
  async visit(): Promise<void> {
    this.#host ??= this.#world.openHost({ ...hostOptions.process, maxCells: 1, idleWorkerTimeout: 3600 })
    const life = await Life.begin(this.#world, this.#host, {})
    try {
      await use(life, `${this.#name}#${++this.#marks}`)
    } finally {
      await life.close()
    }
    this.#world.lastingCell ??= life.cell
    demandSame(life.cell, this.#world.lastingCell, 'the process of a cell that nothing happens to')
  }

  async end(): Promise<void> {
    if (this.#host !== undefined) await this.#world.closeHost(this.#host, 0)
  }
}

const visit: Plan<Regular> = (random) => {
  const times = 2 + random.below(6)
  return {
    text: `${times} visits`,
    play: async (regular) => {
      for (let made = 0; made < times; made++) await regular.visit()
    },
  }
}

const repertoire: Repertoire<Regular> = [[1, visit]]

/** Opens, uses and closes sandboxes in a cell that nothing happens to. */
export function regular(name: string, world: World): Role {
  const stage = new Regular(name, world)
  return roleOf(repertoire, stage, () => stage.end())
}
