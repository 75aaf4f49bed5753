import { withEither } from '../async/either-signal.ts'
import { interruptible } from '../async/interruptible.ts'
import type { Isolation, NetworkMode } from '../contract/isolation.ts'
import type { EngineName } from '../contract/lease.ts'
import { replaceDefaultHost } from '../host/default-host.ts'
import type { SandboxEvent, SandboxNames } from '../host/event-data.ts'
import type { HostStats } from '../host/host-stats.ts'
import { resolveHostOptions } from '../host/resolve-options.ts'
import type { SandboxListener } from '../host/sandbox-events.ts'
import { DEFAULTS, REGISTRY, type SandboxHost, type SessionRegistry } from '../host/sandbox-host.ts'
import { SessionHost } from '../host/session-host.ts'
import type { HostedSandbox } from '../hosted-sandbox/hosted-sandbox.ts'
import { identify } from '../hosted-sandbox/identity.ts'
import type { HostedSandboxOptions } from '../hosted-sandbox/sandbox-options.ts'
import { abortError } from '../sandbox/abort-error.ts'
import { refuse, refuseFault, resolveLimits } from '../sandbox/arguments.ts'
import { SandboxConfigError } from '../sandbox/errors.ts'
import { fieldsOf, optionsOf, within } from '../sandbox/options-of.ts'
import type { ExecutionResult } from '../sandbox/results.ts'
import { kindOf, quote, showValue } from '../sandbox/show-value.ts'
import { findNeedlessOption } from '../sandbox/unknown-option.ts'
import type { Snapshot } from '../snapshot/snapshot.ts'
import { requireSameConfig } from './compare-config.ts'
import { knownError, type MapOptions, type MapResult, mapRuns } from './map-runs.ts'
import { NamedSandboxes } from './named-sandboxes.ts'
import {
  absoluteFiles,
  collectedOf,
  inputOf,
  ONE_SHOT_NAMES,
  type OneShotFields,
  type OneShotOptions,
  type OneShotRequest,
  outlasting,
  runOnce,
} from './one-shot.ts'
import { type ShellHostOptions, splitOptions } from './options.ts'
import type { OneShotRequests } from './request-source.ts'
import { ConfigDefaults, type OpenConfig } from './sandbox-config.ts'
import {
  type ConfigFields,
  checkConfig,
  directoryOf,
  isOfShell,
  makeSandbox,
  requireNames,
  type ShellSandboxes,
} from './shells.ts'

/** Seconds that draining waits for pending calls where its caller does not say. */
const defaultGrace = 30

/** How one sandbox is opened. */
export interface OpenOptions {
  /**
   * What the host knows the sandbox by. The host holds it until it is closed; one without an id is held by its user
   * alone.
   *
   * @default undefined (none)
   */
  readonly id?: string | undefined
  /** Aborts the opening, which rejects with `ABORTED`; a sandbox that waits for a place is taken out of the queue. */
  readonly signal?: AbortSignal | undefined
  /**
   * What the session begins with, as for `BashSandbox.open()`.
   *
   * @default undefined (the session begins as the config says)
   */
  readonly snapshot?: Snapshot | undefined
  /**
   * Whether only the files of the snapshot are taken, as for `BashSandbox.open()`.
   *
   * @default false
   */
  readonly filesOnly?: boolean | undefined
}

/** How a host is drained. */
export interface DrainOptions {
  /**
   * Seconds that pending calls have to end.
   *
   * @default 30
   */
  readonly grace?: number | undefined
  /**
   * Whether named sandboxes are put into the store of the host before they are closed.
   *
   * @default false
   */
  readonly hibernate?: boolean | undefined
}

/** One sandbox of a host, as plain data. */
export interface SandboxInfo extends SandboxNames {
  /** What the sandbox has for itself. */
  readonly isolation: Isolation
  /** The number of its session, from 1. */
  readonly generation: number
  /** Calls that have not settled. */
  readonly pending: number
  /** Whether its session is stored, and has no place. */
  readonly hibernated: boolean
}

/**
 * Decides which sandboxes of a service run where, when, and for how long. A host is not collected with its idle
 * workers: {@link ShellHost.close | close} it. `Default` is the shell of a sandbox whose config names none.
 */
export class ShellHost<Default extends EngineName = 'strands'> implements SandboxHost {
  readonly #sessionHost: SessionHost
  readonly #defaults: ConfigDefaults
  readonly #named = new NamedSandboxes()

  /** @throws {SandboxConfigError} naming the option that is not valid */
  constructor(options: ShellHostOptions<Default> = {}) {
    const { defaults, hostOptions } = splitOptions(options)
    const named = this.#named
    this.#sessionHost = new SessionHost(resolveHostOptions(hostOptions), (session, reason) =>
      named.closed(session, reason),
    )
    this.#defaults = new ConfigDefaults(defaults)
  }

  /** What a sandbox has for itself whose config does not say. */
  get isolation(): Isolation {
    return this.#sessionHost.isolation
  }

  /** What its cells reach of the network. */
  get network(): NetworkMode {
    return this.#sessionHost.network
  }

  /** Whether it stores the sessions of named sandboxes: its option `hibernate`. */
  get hibernates(): boolean {
    return this.#sessionHost.store !== undefined
  }

  /**
   * Opens a sandbox: waits for a place, for at most `openTimeout` and behind at most `maxQueued` others.
   *
   * @throws {HostSaturatedError} when there is no place in time, or the queue is full
   * @throws {SandboxConfigError} where the config is not valid, or the id is that of an open sandbox or of a stored one
   * @throws {SandboxAbortError} when the signal is aborted
   * @throws {SandboxClosedError} when the host is closed or drains
   * @throws {SnapshotError} where a snapshot is given that the sandbox cannot begin with
   */
  async open<Shell extends EngineName = Default>(
    config?: OpenConfig<Shell>,
    options: OpenOptions = {},
  ): Promise<ShellSandboxes[Shell]> {
    const { id, signal, ...begins } = resolveOpenOptions(options)
    if (id === undefined) return openUntil<ShellSandboxes[Shell]>(this.#make(config, begins), signal)
    if (this.#named.get(id) !== undefined) {
      throw new SandboxConfigError(`id ${quote(id)} is that of an open sandbox. Use getOrOpen to share it.`, {
        field: 'id',
      })
    }
    return this.#openNamed(id, config, { signal, ...begins, isNew: true })
  }

  /**
   * Makes a sandbox without an id and starts nothing: its first call opens it, and waits for a place then.
   *
   * @throws {SandboxConfigError} naming the field that is not valid
   */
  sandbox<Shell extends EngineName = Default>(config?: OpenConfig<Shell>): ShellSandboxes[Shell] {
    return this.#make(config)
  }

  /** The sandbox with this id; undefined where none is open. */
  get(id: string): ShellSandboxes[EngineName] | undefined {
    return this.#named.get(requireId(id))?.sandbox
  }

  /**
   * The sandbox with this id, opened where there is none; concurrent callers get the same one, with the config of the
   * first. Where the host had closed it for its age or for idleness, another one is opened: its `generation` has risen. It
   * begins with what the store of the host has under this id.
   *
   * Every field that `config` names, over the host's defaults, must be that of the open sandbox; of `commands` the names and
   * help texts. What it does not name is not compared, and without `config` nothing is.
   *
   * @throws {SandboxConfigError} with the field in which the open one differs, such as `shell` or `timeout`
   * @throws as {@link ShellHost.open} does
   */
  async getOrOpen<Shell extends EngineName = Default>(
    id: string,
    config?: OpenConfig<Shell>,
  ): Promise<ShellSandboxes[Shell]>
  async getOrOpen<Shell extends EngineName = Default>(
    id: string,
    config?: OpenConfig<Shell>,
    ...given: readonly unknown[]
  ): Promise<ShellSandboxes[Shell]> {
    refuseFault(
      findNeedlessOption(
        given,
        'Those who share a sandbox share its opening. Use open(config, { id, signal }).',
      ),
    )
    const named = this.#named.get(requireId(id))
    if (named === undefined) return this.#openNamed(id, config)
    const { sandbox, opening } = named
    const { shell, fields, named: asked } = this.#plan(config)
    if (!isOfShell(sandbox, shell)) {
      throw new SandboxConfigError(
        `id ${quote(id)} is that of an open sandbox of the ${sandbox.shell} shell, and the ${shell} shell is asked for. Say shell: '${sandbox.shell}', or take another id.`,
        { field: 'shell' },
      )
    }
    if (asked.length > 0) requireSameConfig(id, sandbox, checkConfig(shell, fields), asked)
    await opening
    return sandbox
  }

  /** Every sandbox that was used and not closed. */
  list(): readonly SandboxInfo[] {
    return this.#sessionHost.sessions.map(
      ({ id, sandbox, labels, isolation, generation, pending, isHibernated }) => ({
        id,
        sandbox,
        labels,
        isolation,
        generation,
        pending,
        hibernated: isHibernated,
      }),
    )
  }

  /**
   * Runs one command in a fresh sandbox: writes `files`, runs it with `stdin`, reads `collect`, closes the sandbox.
   *
   * @throws as {@link ShellHost.open} and the calls of a sandbox do
   */
  run<Shell extends EngineName = Default>(
    command: string,
    options?: OneShotOptions<Shell>,
  ): Promise<ExecutionResult> {
    return this.#run(command, options)
  }

  /**
   * Runs many commands, each in a fresh sandbox, `concurrency` at a time, no faster than their results are taken. A
   * run that rejects is a result with the status `'rejected'`: the others go on. When the consumer stops, the runs
   * under way are aborted.
   *
   * @throws {SandboxConfigError} for a concurrency that is not valid
   */
  map(requests: OneShotRequests<Default>, options?: MapOptions): AsyncGenerator<MapResult, void> {
    const run = async (request: OneShotRequest<Default>, stop: AbortSignal) => {
      const { command, ...rest } = fieldsOf<OneShotRequest<Default>>(request, 'request')
      const { signal: own } = resolveLimits(undefined, rest.signal)
      if (own === undefined) return this.#run(command, { ...rest, signal: stop })
      return withEither([own, stop], (signal) => this.#run(command, { ...rest, signal }))
    }
    return mapRuns(requests, run, knownError, options)
  }

  /** Figures of this moment, and of the host's life. */
  stats(): HostStats {
    return this.#sessionHost.stats()
  }

  /**
   * Calls `listener` with every event of this name. It gets plain data, never a sandbox or a secret; what it throws
   * becomes an uncaught exception on the next tick.
   *
   * @throws {SandboxConfigError} for an event that does not exist, or what is no function
   */
  on<Event extends SandboxEvent>(event: Event, listener: SandboxListener<Event>): this {
    this.#sessionHost.events.on(event, listener)
    return this
  }

  /** Calls a listener that {@link ShellHost.on | on} added no more. */
  off<Event extends SandboxEvent>(event: Event, listener: SandboxListener<Event>): this {
    this.#sessionHost.events.off(event, listener)
    return this
  }

  /**
   * Opens nothing more, lets pending calls end, closes every sandbox as it comes to rest, and then the host. After
   * `grace` seconds (default: 30) the calls that are left reject with `CLOSED`. With `hibernate` every named sandbox is stored
   * first, so that the next process goes on with it. Idempotent: the options of the first call count.
   *
   * @throws {SandboxConfigError} for a grace that is no number of seconds, and for `hibernate` on a host without a store
   */
  async drain(options: DrainOptions = {}): Promise<void> {
    const { grace = defaultGrace, hibernate = false } = optionsOf<DrainOptions>(options, [
      'grace',
      'hibernate',
    ])
    if (typeof hibernate !== 'boolean')
      throw refuse('hibernate', `must be true or false, but is ${kindOf(hibernate)}.`)
    if (hibernate && this.#sessionHost.store === undefined)
      throw refuse('hibernate', 'needs a host with hibernate: { store }.')
    const seconds = within('grace', grace, { least: 0, most: 86_400, unit: 'seconds' })
    await this.#sessionHost.drain(seconds, { hibernate })
  }

  /**
   * Ends every worker that runs no native call, and each of the others when its calls have settled. Sandboxes
   * of this host are lost. Idempotent.
   *
   * @throws {SandboxConfigError} where options are given: those are of {@link ShellHost.drain}
   */
  close(): Promise<void>
  async close(...given: readonly unknown[]): Promise<void> {
    refuseFault(findNeedlessOption(given, 'close() ends calls at once. Use drain({ grace }).'))
    await this.#sessionHost.close()
  }

  /** The same as {@link ShellHost.close}, for `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  /**
   * Where the sessions of its sandboxes are registered.
   *
   * @internal
   */
  get [REGISTRY](): SessionRegistry {
    return this.#sessionHost
  }

  /**
   * What the config of a shell's sandboxes is where theirs says nothing else.
   *
   * @internal
   */
  [DEFAULTS](shell: EngineName): object {
    return this.#defaults.for(shell)
  }

  /** Runs one command in a fresh sandbox of whichever shell. */
  async #run(command: string, options: OneShotFields = {}): Promise<ExecutionResult> {
    const { files, collect, stdin, timeout, signal, ...config } = fieldsOf<OneShotFields>(options, 'options')
    const limits = resolveLimits(timeout, signal)
    const paths = collectedOf(collect)
    const input = inputOf(stdin)
    const sandbox = this.#makeOnce(config, files, limits.timeout)
    try {
      return await runOnce(sandbox, command, { collect: paths, stdin: input, ...limits })
    } finally {
      await sandbox.close()
    }
  }

  /** A sandbox for one command, whose files may have relative paths. */
  #makeOnce(config: ConfigFields, files: unknown, timeout: number | undefined): ShellSandboxes[EngineName] {
    const { shell, config: fields } = this.#defaults.plan(config)
    requireNames(shell, config, ONE_SHOT_NAMES)
    const own = files === undefined ? {} : { files: absoluteFiles(files, directoryOf(shell, fields)) }
    const { config: whole } = this.#defaults.plan({ ...config, shell, ...own })
    return makeSandbox(shell, { ...outlasting(timeout), ...whole }, { host: this })
  }

  #plan<Shell extends EngineName>(config: OpenConfig<Shell> | undefined) {
    const { shell, config: fields, named } = this.#defaults.plan(config)
    // Where the config names no shell, the host's is the default of the type parameter, too.
    return { shell: shell as Shell, fields, named }
  }

  #make<Shell extends EngineName>(
    config: OpenConfig<Shell> | undefined,
    { id, snapshot, filesOnly }: Omit<OpenOptions, 'signal'> = {},
  ): ShellSandboxes[Shell] {
    const { shell, fields } = this.#plan(config)
    const options: HostedSandboxOptions = { host: this, snapshot, filesOnly }
    if (id !== undefined) identify(options, { id, generation: this.#named.firstGeneration(id) })
    return makeSandbox(shell, fields, options)
  }

  async #requireNotStored(id: string): Promise<void> {
    if ((await this.#sessionHost.store?.has(id)) !== true) return
    throw new SandboxConfigError(
      `id ${quote(id)} is that of a stored session. Use getOrOpen to wake it, or delete it from the store.`,
      { field: 'id' },
    )
  }

  #openNamed<Shell extends EngineName>(
    id: string,
    config: OpenConfig<Shell> | undefined,
    { signal, isNew = false, ...begins }: Omit<OpenOptions, 'id'> & { readonly isNew?: boolean } = {},
  ): Promise<ShellSandboxes[Shell]> {
    const sandbox = this.#make(config, { id, ...begins })
    const open = async () => {
      if (isNew) await this.#requireNotStored(id)
      return openUntil<ShellSandboxes[Shell]>(sandbox, signal)
    }
    const opening = open()
    this.#named.add(id, { sandbox, opening })
    opening.catch(() => this.#named.remove(id, sandbox))
    return opening
  }
}

/**
 * Makes `host` the host of sandboxes that name none. Its `defaults` are those of sandboxes that are made from now on.
 *
 * @throws {UnsupportedError} once the default host was used
 * @throws {SandboxConfigError} for what is no host
 */
export function setDefaultHost(host: ShellHost<EngineName>): void {
  if (!(host instanceof ShellHost)) {
    throw new SandboxConfigError(`host must be a ShellHost, but is ${kindOf(host)}.`, { field: 'host' })
  }
  replaceDefaultHost(host[REGISTRY], (shell) => host[DEFAULTS](shell))
}

async function openUntil<Sandbox extends Pick<HostedSandbox, 'open' | 'close'>>(
  sandbox: Sandbox,
  signal: AbortSignal | undefined,
): Promise<Sandbox> {
  try {
    await interruptible(sandbox.open(), { signal, onAbort: () => abortError(signal) })
    return sandbox
  } catch (error) {
    await sandbox.close()
    throw error
  }
}

function resolveOpenOptions(given: OpenOptions): OpenOptions {
  const { id, signal, snapshot, filesOnly } = fieldsOf<OpenOptions>(given, 'options', [
    'id',
    'signal',
    'snapshot',
    'filesOnly',
  ])
  return {
    ...resolveLimits(undefined, signal),
    snapshot,
    filesOnly,
    ...(id === undefined ? {} : { id: requireId(id) }),
  }
}

function requireId(id: unknown): string {
  if (typeof id === 'string' && id !== '') return id
  throw new SandboxConfigError(`id must be a string that is not empty, but is ${showValue(id)}.`, {
    field: 'id',
  })
}
