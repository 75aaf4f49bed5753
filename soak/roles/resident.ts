import type { StrandsShellConfig } from '../../src/index.ts'
import type { House } from '../house.ts'
import { Life } from '../life.ts'
import { Model } from '../model.ts'
import type { World } from '../world.ts'

/** An actor that has one sandbox at a time, and knows what must be in it. */
export class Resident {
  readonly name: string
  readonly world: World
  readonly house: House
  /** What the session holds: nothing after a loss. */
  readonly model = new Model()
  readonly #config: () => StrandsShellConfig
  #life: Life | undefined
  #lives = 0
  #marks = 0

  constructor(
    name: string,
    world: World,
    house: House,
    config: StrandsShellConfig | (() => StrandsShellConfig) = {},
  ) {
    this.name = name
    this.world = world
    this.house = house
    this.#config = typeof config === 'function' ? config : () => config
  }

  /** Its sandbox, open. @throws {ActOver} where there is none at the moment */
  async life(): Promise<Life> {
    if (this.#life?.isAlive !== true) await this.begin({ id: `${this.name}.${this.#lives + 1}` })
    const life = this.#life
    if (life === undefined) throw new Error('A sandbox was begun.')
    await life.settleIn()
    return life
  }

  /** Opens another sandbox; the one before is closed if it is open. */
  async begin(options: { readonly id?: string }): Promise<Life> {
    await this.end()
    this.#lives += 1
    const onFresh = () => this.model.clear()
    this.#life = await Life.begin(this.world, this.house.host, this.#config(), { ...options, onFresh })
    return this.#life
  }

  /** Text that nobody else writes, and that says who has written it. */
  mark(): string {
    return `${this.name}#${++this.#marks}`
  }

  async end(): Promise<void> {
    const life = this.#life
    this.#life = undefined
    this.model.clear()
    await life?.close()
  }

  /** Lets go of its sandbox. */
  drop(): void {
    this.#life?.drop()
    this.#life = undefined
    this.model.clear()
  }
}
