import { setImmediate } from 'node:timers/promises'
import type { HostedSandbox } from '../src/index.ts'
import { SandboxClosedError, SandboxError, SessionLoss, WorkerLostError } from '../src/index.ts'
import { ActionEnded } from './action.ts'
import type { SoakContext } from './context.ts'
import type { SoakConfig, SoakHost } from './shells/shell.ts'
import { Violation } from './violation.ts'

/** A bind through which a sandbox sees the id of the process that it runs in. */
const self = { source: '/proc/self', destination: '/self', readonly: true } as const

/** What a new session has of the one before it. `unsure`: all or nothing. */
export type Contents = 'none' | 'all' | 'unsure'

type OnNewSession = (contents: Contents) => void

/** A sandbox of an actor. Each call on it is tracked, and each loss is checked against the ledger. */
export class TrackedSandbox {
  readonly id: string | undefined
  readonly #context: SoakContext
  readonly #host: SoakHost
  readonly #onNewSession: OnNewSession
  #sandbox: HostedSandbox | undefined
  #generation = 1
  #located = 0
  #cell: number | undefined

  /** `onNewSession` is called when a new session has replaced the old one, or may have. */
  private constructor(
    context: SoakContext,
    host: SoakHost,
    sandbox: HostedSandbox,
    {
      id,
      onNewSession = () => undefined,
    }: { readonly id?: string | undefined; readonly onNewSession?: OnNewSession | undefined },
  ) {
    this.#context = context
    this.#host = host
    this.#sandbox = sandbox
    this.#onNewSession = onNewSession
    this.id = id
    context.held += 1
  }

  /** Opens a sandbox. Only one without an id can be garbage-collected while its host is open. */
  static async open(
    context: SoakContext,
    host: SoakHost,
    config: SoakConfig,
    options: { readonly id?: string; readonly onNewSession?: OnNewSession } = {},
  ): Promise<TrackedSandbox> {
    const { id } = options
    if (id !== undefined && context.shell.goesOn)
      context.losses.goesOn(id, hasCopy(config) ? 'unchanged' : 'always')
    const inCell = !context.isJailed(host) && (config.isolation ?? host.isolation) === 'process'
    const full = inCell ? { ...config, binds: [...(config.binds ?? []), self] } : config
    try {
      const open = () => host.open(full, { ...(id === undefined ? {} : { id }) })
      const tracked = new TrackedSandbox(
        context,
        host,
        await context.calls.track(`open ${id ?? ''}`, open),
        options,
      )
      await tracked
        .locateIfMoved()
        .catch((error: unknown) => tracked.close().then(() => Promise.reject(error)))
      return tracked
    } catch (error) {
      if (error instanceof WorkerLostError && id !== undefined) {
        context.losses.left(id)
        throw new ActionEnded(`not opened: ${error.message}`)
      }
      if (error instanceof SandboxClosedError && context.hasEnded(host))
        throw new ActionEnded('not opened: the host ended')
      throw error
    }
  }

  /** False after it was closed or dropped, or its host was closed. */
  get isAlive(): boolean {
    return this.#sandbox !== undefined && !this.#context.hasEnded(this.#host)
  }

  /** The process id of the cell of its session at the last look; undefined where it is in no cell. */
  get cell(): number | undefined {
    return this.#cell
  }

  /** The number of its session. */
  get generation(): number {
    return this.#sandbox?.generation ?? this.#generation
  }

  /** Looks up the cell of the session if the session is new. */
  async locateIfMoved(): Promise<void> {
    if (this.#context.isJailed(this.#host)) return
    if (this.#sandbox?.isolation === 'process' && this.#located !== this.#sandbox.generation)
      await this.#locate()
  }

  /**
   * Makes a call.
   *
   * @throws {ActionEnded} where the session was lost, or the host has ended
   * @throws {SandboxError} as the call does otherwise
   */
  async call<T>(what: string, work: (sandbox: HostedSandbox) => Promise<T>): Promise<T> {
    const sandbox = this.#open()
    const [madeAt, generation] = [performance.now(), sandbox.generation]
    try {
      const value = await this.#context.calls.track(`${this.id ?? ''} ${what}`, () => work(sandbox))
      if (this.id !== undefined) this.#context.losses.succeeded(this.id, generation)
      return value
    } catch (error) {
      throw this.#judge(sandbox, error, madeAt)
    } finally {
      this.#checkGeneration(sandbox)
    }
  }

  /** Makes a call that blocks this thread. */
  callNow<T>(what: string, work: (sandbox: HostedSandbox) => T): Promise<T> {
    return this.call(what, async (sandbox) => {
      await sandbox.open()
      return work(sandbox)
    })
  }

  /** Closes the sandbox. Further calls do nothing. */
  async close(): Promise<void> {
    const sandbox = this.#sandbox
    if (sandbox === undefined) return
    this.#release()
    await this.#context.calls.track(`close ${this.id ?? ''}`, () => sandbox.close())
    await setImmediate() // Pending calls of the sandbox settle first.
    this.#forget()
  }

  /** Drops the reference to the sandbox without closing it. */
  drop(): void {
    this.#release()
    this.#forget()
  }

  #open(): HostedSandbox {
    if (this.#sandbox === undefined) throw new ActionEnded('closed before')
    return this.#sandbox
  }

  #release(): void {
    this.#context.held -= 1
    this.#sandbox = undefined
  }

  #forget(): void {
    if (this.id === undefined) return
    this.#context.losses.left(this.id)
    this.#context.cellOf.delete(this.id)
  }

  async #locate(): Promise<void> {
    const generation = this.generation
    const { stdout } = await this.call('locate', (sandbox) => sandbox.execute('cut -d " " -f 1 /self/stat'))
    if (this.generation !== generation) return
    this.#located = generation
    this.#cell = Number(stdout)
    if (this.id !== undefined) this.#context.cellOf.set(this.id, this.#cell)
  }

  /** The error to throw for a rejected call: `ActionEnded`, a violation, or the error itself. */
  #judge(sandbox: HostedSandbox, error: unknown, madeAt: number): unknown {
    if (error instanceof Violation) return error
    if (!(error instanceof SandboxError))
      return new Violation(`unexpected ${String(error)}`, { cause: error })
    if (error instanceof WorkerLostError) {
      if (!(error.cause instanceof SessionLoss))
        return new Violation(`a loss without a cause: ${error.message}`)
      if (this.id !== undefined) {
        this.#context.losses.told(this.id, sandbox.generation, error.cause.code, madeAt)
      }
      return new ActionEnded(`lost: ${error.cause.code}`)
    }
    if (error.code === 'CLOSED' && !this.isAlive) return new ActionEnded('closed')
    if (error.code === 'CLOSED') return new Violation(`closed, and nobody closed it: ${error.message}`)
    const interrupted = error.code === 'TIMEOUT' || error.code === 'ABORTED'
    if (interrupted && this.id !== undefined) this.#context.losses.interrupted(this.id, sandbox.generation)
    return error
  }

  #checkGeneration({ generation }: HostedSandbox): void {
    const { losses } = this.#context
    if (generation !== this.#generation) {
      this.#generation = generation
      this.#onNewSession(this.id !== undefined && losses.keeps(this.id, generation) ? 'all' : 'none')
    }
    if (this.id !== undefined && losses.takeUnsure(this.id)) this.#onNewSession('unsure')
  }
}

/** Whether changes of a session are in a copy of a bind, and so in its worker alone. */
function hasCopy({ binds = [] }: SoakConfig): boolean {
  return binds.some(({ mode, readonly = false }) => mode === 'copy' && !readonly)
}
