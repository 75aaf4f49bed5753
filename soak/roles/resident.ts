import type { SoakContext } from '../context.ts'
import type { Level } from '../level.ts'
import { Model } from '../model.ts'
import type { SoakConfig, SoakHost } from '../shells/shell.ts'
import { type Contents, TrackedSandbox } from '../tracked-sandbox.ts'

/** The state of an actor that has one sandbox at a time and a model of its contents. */
export class Resident {
  readonly name: string
  readonly context: SoakContext
  readonly level: Level
  /** The expected contents of the session; empty after a loss, unless the session goes on. */
  readonly model = new Model()
  readonly #config: () => SoakConfig
  readonly #host: () => SoakHost
  #tracked: TrackedSandbox | undefined
  #opened = 0
  #marks = 0

  constructor(
    name: string,
    context: SoakContext,
    level: Level,
    config: SoakConfig | (() => SoakConfig) = {},
    host: () => SoakHost = () => level.host,
  ) {
    this.#host = host
    this.name = name
    this.context = context
    this.level = level
    this.#config = typeof config === 'function' ? config : () => config
  }

  /** True where an interrupted call costs the session. */
  get resets(): boolean {
    return this.#config().onInterrupt === 'reset'
  }

  /** Whether a sandbox may share its thread. */
  isNeighbour(id = ''): boolean {
    return this.level.isolation === 'shared' && id.startsWith('shared-')
  }

  /** Its open sandbox; opens one if needed. @throws {ActionEnded} where opening was lost */
  async tracked(): Promise<TrackedSandbox> {
    if (this.#tracked?.isAlive !== true) await this.begin({ id: `${this.name}.${this.#opened + 1}` })
    const tracked = this.#tracked
    if (tracked === undefined) throw new Error('The sandbox was closed while it opened.')
    await tracked.locateIfMoved()
    return tracked
  }

  /** Closes its sandbox and opens another. */
  async begin(options: { readonly id?: string }): Promise<TrackedSandbox> {
    await this.end()
    this.#opened += 1
    const onNewSession = (contents: Contents) => {
      if (contents === 'none') this.model.clear()
      if (contents === 'unsure') this.model.mayClear()
    }
    const tracked = await TrackedSandbox.open(this.context, this.#host(), this.#config(), {
      ...options,
      onNewSession,
    })
    this.#tracked = tracked
    return tracked
  }

  /** A text that is unique in the run and names this actor. */
  mark(): string {
    return `${this.name}#${++this.#marks}`
  }

  async end(): Promise<void> {
    const tracked = this.#tracked
    this.#tracked = undefined
    this.model.clear()
    await tracked?.close()
  }

  /** Drops the reference to its sandbox. */
  drop(): void {
    this.#tracked?.drop()
    this.#tracked = undefined
    this.model.clear()
  }
}
