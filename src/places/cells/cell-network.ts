import type { NetworkMode } from '../../contract/isolation.ts'
import type { ShellRecord } from '../../contract/shell-record.ts'
import type { EgressProxy } from '../../network/egress-proxy.ts'
import type { EgressListeners } from '../../network/events.ts'
import { proxyEnvironment } from '../../network/proxy-environment.ts'
import { type EgressPolicy, EgressRules } from '../../network/rules.ts'
import { SandboxClosedError } from '../../sandbox/errors.ts'
import { cellEnvironment, userProxies } from './cell-environment.ts'

/** What the sandboxes of one cell may reach: those with the same key may share it. */
export interface CellPolicy {
  readonly key: string
  readonly policy: EgressPolicy | undefined
}

/** What gives one cell access to the network. */
export interface CellPass {
  /** All of the cell's environment. */
  readonly env: NodeJS.ProcessEnv
  /** The proxy's address with the cell's token; undefined where there is none. */
  readonly proxy: string | undefined
  /** The Unix socket of the proxy; undefined where there is none. */
  readonly socket: string | undefined
  /** Another policy applies from now on. */
  update(policy: CellPolicy): void
  /** The cell is gone. */
  revoke(): void
}

/** How the cells of a host reach the network: directly, or through a proxy that applies the policy of each. */
export class CellNetwork {
  readonly #mode: NetworkMode
  readonly #listeners: EgressListeners
  #starting: Promise<void> | undefined
  #proxy: EgressProxy | undefined
  #socket: string | undefined
  #closed = false

  constructor(mode: NetworkMode, listeners: EgressListeners) {
    this.#mode = mode
    this.#listeners = listeners
  }

  /**
   * What the sandboxes of an owner with these `allowedUrls` have in common.
   *
   * @throws {SandboxConfigError} with the field `allowedUrls[i]`, for an address that the proxy could not match
   */
  policyOf({ allowedUrls }: Pick<ShellRecord, 'allowedUrls'>, owner = ''): CellPolicy {
    if (this.#mode === 'public') return { key: owner, policy: undefined }
    if (this.#mode === 'none') return { key: owner, policy: { network: 'none' } }
    new EgressRules({ network: 'allowlist', allow: allowedUrls }, 'allowedUrls')
    const allow = [...new Set(allowedUrls)].sort()
    return { key: JSON.stringify([owner, ...allow]), policy: { network: 'allowlist', allow } }
  }

  /**
   * Starts what cells need to be let in; tries again where that failed before.
   *
   * @throws {SandboxClosedError}
   */
  async start(): Promise<void> {
    if (this.#closed) throw closed()
    this.#starting ??= this.#startProxy().catch((error: unknown) => {
      this.#starting = undefined
      throw error
    })
    await this.#starting
  }

  /** Whether cells reach the network without a proxy. */
  get isPublic(): boolean {
    return this.#mode === 'public'
  }

  /**
   * Has the proxy listen where jails reach it, once it was started.
   *
   * @throws the system's error
   */
  async listenForJails(): Promise<void> {
    await this.start()
    this.#socket = await this.#proxy?.socketPath()
  }

  /**
   * Lets a cell in, once it was started; `id` is what the events of the proxy call it.
   *
   * @throws {SandboxClosedError}
   */
  admit(id: string, { policy }: CellPolicy): CellPass {
    if (this.#closed) throw closed()
    const env = cellEnvironment()
    if (policy === undefined) {
      return {
        env: { ...env, ...userProxies() },
        proxy: undefined,
        socket: undefined,
        update: () => undefined,
        revoke: () => undefined,
      }
    }
    if (this.#proxy === undefined) throw new TypeError('The proxy was not started.')
    const pass = this.#proxy.admit(id, policy)
    const proxy = pass.url
    return {
      env: proxyEnvironment(env, proxy),
      proxy,
      socket: this.#socket,
      update: ({ policy: next }) => {
        if (next !== undefined) pass.update(next)
      },
      revoke: () => pass.revoke(),
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#starting?.catch(() => undefined) // Whoever needed it was told.
    await this.#proxy?.close()
  }

  async #startProxy(): Promise<void> {
    if (this.#mode === 'public') return
    const { EgressProxy } = await import('../../network/egress-proxy.ts')
    this.#proxy = await EgressProxy.start(this.#listeners)
  }
}

function closed(): SandboxClosedError {
  return new SandboxClosedError('The host of this sandbox is closed.')
}
