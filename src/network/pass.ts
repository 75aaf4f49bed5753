import type { ProxyClient, ProxyClients } from './proxy-client.ts'
import { type EgressPolicy, EgressRules } from './rules.ts'

/** The leave of one cell to use the proxy, under its policy. */
export class EgressPass {
  readonly #clients: ProxyClients
  readonly #client: ProxyClient
  readonly #user: string
  readonly #url: string

  constructor(clients: ProxyClients, id: string, rules: EgressRules, port: number) {
    const { client, user, token } = clients.add(id, rules)
    this.#clients = clients
    this.#client = client
    this.#user = user
    this.#url = `http://${user}:${token}@127.0.0.1:${port}`
  }

  /** The proxy's address with the cell's token: for the environment of the cell alone (see `proxyEnvironment`). */
  get url(): string {
    return this.#url
  }

  /**
   * Replaces the policy for what comes next, and ends the tunnels it does not allow. Requests under way go on.
   * @throws {SandboxConfigError} with the field `allow[i]`; then nothing changes
   */
  update(policy: EgressPolicy): void {
    const rules = new EgressRules(policy)
    this.#client.rules = rules
    for (const exchange of [...this.#client.exchanges]) {
      const { tunnel } = exchange.facts
      if (tunnel !== undefined && !rules.allowsTunnel(tunnel)) exchange.end('POLICY_CHANGED')
    }
  }

  /** Ends every connection of the cell; its token is no longer accepted. */
  revoke(): void {
    this.#clients.remove(this.#user)
  }
}
