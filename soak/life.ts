import { setImmediate } from 'node:timers/promises'
import type { ShellHost, StrandsShellConfig, StrandsShellSandbox } from '../src/index.ts'
import { SandboxClosedError, SandboxError, SessionLoss, WorkerLostError } from '../src/index.ts'
import { ActOver } from './act.ts'
import { Violation } from './violation.ts'
import type { World } from './world.ts'

/** Shows a sandbox the process that it runs in: its cell, or this one. */
const self = { source: '/proc/self', destination: '/self', readonly: true } as const

/** One sandbox in the hands of an actor, from its first call until it is closed, dropped, or its host has ended. */
export class Life {
  readonly id: string | undefined
  readonly #world: World
  readonly #host: ShellHost
  readonly #onFresh: () => void
  #sandbox: StrandsShellSandbox | undefined
  #generation = 1
  #located = 0
  #cell: number | undefined

  /** `onFresh` is called when there is nothing any more of what was in the session. */
  private constructor(
    world: World,
    host: ShellHost,
    sandbox: StrandsShellSandbox,
    {
      id,
      onFresh = () => undefined,
    }: { readonly id?: string | undefined; readonly onFresh?: (() => void) | undefined },
  ) {
    this.#world = world
    this.#host = host
    this.#sandbox = sandbox
    this.#onFresh = onFresh
    this.id = id
    world.held += 1
  }

  /** Opens a sandbox; one without an id can be dropped. */
  static async begin(
    world: World,
    host: ShellHost,
    config: StrandsShellConfig,
    options: { readonly id?: string; readonly onFresh?: () => void } = {},
  ): Promise<Life> {
    const { id } = options
    const inCell = (config.isolation ?? host.isolation) === 'process'
    const full = inCell ? { ...config, binds: [...(config.binds ?? []), self] } : config
    try {
      const open = () => host.open(full, { ...(id === undefined ? {} : { id }) })
      const life = new Life(world, host, await world.calls.track(`open ${id ?? ''}`, open), options)
      await life.settleIn().catch((error: unknown) => life.close().then(() => Promise.reject(error)))
      return life
    } catch (error) {
      if (error instanceof WorkerLostError && id !== undefined) {
        world.losses.left(id)
        throw new ActOver(`not opened: ${error.message}`)
      }
      if (error instanceof SandboxClosedError && world.hasEnded(host))
        throw new ActOver('not opened: the host ended')
      throw error
    }
  }

  /** False once it was closed or dropped, or its host has ended. */
  get isAlive(): boolean {
    return this.#sandbox !== undefined && !this.#world.hasEnded(this.#host)
  }

  /** The process of its cell, where its session was when it was looked for; undefined where it is in none. */
  get cell(): number | undefined {
    return this.#cell
  }

  get #session(): number {
    return this.#sandbox?.generation ?? this.#generation
  }

  /** Finds out where the session is, if it is another than before. */
  async settleIn(): Promise<void> {
    if (this.#sandbox?.isolation === 'process' && this.#located !== this.#sandbox.generation)
      await this.#locate()
  }

  /**
   * Makes a call.
   *
   * @throws {ActOver} where the session was lost, or the host has ended
   * @throws {SandboxError} as the call does otherwise
   */
  async call<T>(what: string, work: (sandbox: StrandsShellSandbox) => Promise<T>): Promise<T> {
    const sandbox = this.#open()
    const [madeAt, generation] = [performance.now(), sandbox.generation]
    try {
      const value = await this.#world.calls.track(`${this.id ?? ''} ${what}`, () => work(sandbox))
      if (this.id !== undefined) this.#world.losses.succeeded(this.id, generation)
      return value
    } catch (error) {
      throw this.#judge(sandbox, error, madeAt)
    } finally {
      this.#look(sandbox)
    }
  }

  /** The same for a call that blocks. */
  callNow<T>(what: string, work: (sandbox: StrandsShellSandbox) => T): Promise<T> {
    return this.call(what, async (sandbox) => {
      await sandbox.open()
      return work(sandbox)
    })
  }

  /** Closes the sandbox, once. */
  async close(): Promise<void> {
    const sandbox = this.#sandbox
    if (sandbox === undefined) return
    this.#letGo()
    await this.#world.calls.track(`close ${this.id ?? ''}`, () => sandbox.close())
    await setImmediate() // Calls that it was closed under tell how they ended.
    this.#leave()
  }

  /** Lets go of the sandbox without closing it. */
  drop(): void {
    this.#letGo()
    this.#leave()
  }

  #open(): StrandsShellSandbox {
    if (this.#sandbox === undefined) throw new ActOver('closed before')
    return this.#sandbox
  }

  #letGo(): void {
    this.#world.held -= 1
    this.#sandbox = undefined
  }

  #leave(): void {
    if (this.id === undefined) return
    this.#world.losses.left(this.id)
    this.#world.cellOf.delete(this.id)
  }

  async #locate(): Promise<void> {
    const generation = this.#session
    const { stdout } = await this.call('locate', (sandbox) => sandbox.execute('cut -d " " -f 1 /self/stat'))
    if (this.#session !== generation) return
    this.#located = generation
    this.#cell = Number(stdout)
    if (this.id !== undefined) this.#world.cellOf.set(this.id, this.#cell)
  }

  /** What a rejected call means: the act's end, or an error for it to judge. */
  #judge(sandbox: StrandsShellSandbox, error: unknown, madeAt: number): unknown {
    if (error instanceof Violation) return error
    if (!(error instanceof SandboxError))
      return new Violation(`unexpected ${String(error)}`, { cause: error })
    if (error instanceof WorkerLostError) {
      if (!(error.cause instanceof SessionLoss))
        return new Violation(`a loss without a cause: ${error.message}`)
      if (this.id !== undefined) {
        this.#world.losses.told(this.id, sandbox.generation, error.cause.code, madeAt)
      }
      return new ActOver(`lost: ${error.cause.code}`)
    }
    if (error.code === 'CLOSED' && !this.isAlive) return new ActOver('closed')
    if (error.code === 'CLOSED') return new Violation(`closed, and nobody closed it: ${error.message}`)
    const interrupted = error.code === 'TIMEOUT' || error.code === 'ABORTED'
    if (interrupted && this.id !== undefined) this.#world.losses.interrupted(this.id, sandbox.generation)
    return error
  }

  #look(sandbox: StrandsShellSandbox): void {
    if (sandbox.generation === this.#generation) return
    this.#generation = sandbox.generation
    this.#onFresh()
  }
}
