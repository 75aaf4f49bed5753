import { readEntry } from '../../allowlist/entry.ts'
import type { NetworkMode } from '../../contract/isolation.ts'
import type { ShellRecord } from '../../contract/shell-record.ts'
import type { WayOut } from '../../contract/way-out.ts'
import type { EgressProxy } from '../../network/egress-proxy.ts'
import type { EgressListeners } from '../../network/events.ts'
import { EgressRules } from '../../network/rules.ts'
import { SandboxClosedError } from '../../sandbox/errors.ts'
import { findRelayEntry } from '../built-entry.ts'

/** What gives one lease access to the network. */
export interface LeasePass {
  /** What the events of the proxy call it. */
  readonly name: string
  readonly way: WayOut
  /** The lease is over: its connections end. */
  revoke(): void
}

/** How a lease network works. */
interface LeaseNetworkOptions {
  readonly mode: NetworkMode
  /** Told of what the proxy does. */
  readonly listeners: EgressListeners
  /** Names the next lease: no other one of the host, and no cell, has its name. */
  readonly nameLease: () => string
}

/** How jails that threads drive reach the network: each through a pass of its own of a proxy, and only what its sandbox names. */
export class LeaseNetwork {
  readonly #options: LeaseNetworkOptions
  #starting: Promise<EgressProxy> | undefined
  #closed = false

  constructor(options: LeaseNetworkOptions) {
    this.#options = options
  }

  /**
   * Lets a lease in.
   *
   * @returns undefined where its sandbox names nothing: then it has no network
   * @throws {SandboxConfigError} with the field `allowedUrls[i]`, for an address that the proxy could not match
   * @throws {SandboxClosedError}
   */
  async admit(record: Pick<ShellRecord, 'allowedUrls' | 'credentials'>): Promise<LeasePass | undefined> {
    const { mode, nameLease } = this.#options
    const { allowedUrls: allow, credentials } = record
    if (mode === 'none' || allow.length === 0) return undefined
    const policy = { network: 'allowlist', allow, credentials } as const
    new EgressRules(policy, 'allowedUrls')
    const [proxy, script] = await Promise.all([this.#start(), findRelayEntry()])
    const socket = await proxy.socketPath()
    if (this.#closed) throw closed()
    const name = nameLease()
    const pass = proxy.admit(name, policy)
    const relay = { node: process.execPath, script }
    const inside = insideOf(allow)
    return { name, way: { proxy: pass.url, socket, inside, relay }, revoke: () => pass.revoke() }
  }

  async close(): Promise<void> {
    this.#closed = true
    const proxy = await this.#starting?.catch(() => undefined) // Whoever needed it was told.
    await proxy?.close()
  }

  #start(): Promise<EgressProxy> {
    if (this.#closed) throw closed()
    this.#starting ??= startProxy(this.#options.listeners).catch((error: unknown) => {
      this.#starting = undefined
      throw error
    })
    return this.#starting
  }
}

/** Names of loopback, without those that stand for the host's. */
function insideOf(allowedUrls: readonly string[]): readonly string[] {
  const named = new Set(allowedUrls.map((url) => readEntry(url).hostname))
  return ['localhost', '127.0.0.1', '::1'].filter((host) => !named.has(host))
}

async function startProxy(listeners: EgressListeners): Promise<EgressProxy> {
  const { EgressProxy } = await import('../../network/egress-proxy.ts')
  return EgressProxy.start(listeners)
}

function closed(): SandboxClosedError {
  return new SandboxClosedError('The host of this sandbox is closed.')
}
