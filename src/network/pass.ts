import type { Cell, Cells } from './proxy-client.ts'
import { type EgressPolicy, EgressRules } from './rules.ts'

/** The leave of one cell to use the proxy, under its policy. */
export class EgressPass {
  readonly #cells: Cells
  readonly #cell: Cell
  readonly #user: string
  readonly #url: string

  constructor(cells: Cells, id: string, rules: EgressRules, port: number) {
    const { cell, user, token } = cells.add(id, rules)
    this.#cells = cells
    this.#cell = cell
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
    this.#cell.rules = rules
    for (const exchange of [...this.#cell.exchanges]) {
      const { tunnel } = exchange.facts
      if (tunnel !== undefined && !rules.allowsTunnel(tunnel)) exchange.end('POLICY_CHANGED')
    }
  }

  /** Ends every connection of the cell; its token is worth nothing from now on. */
  revoke(): void {
    this.#cells.remove(this.#user)
  }
}
