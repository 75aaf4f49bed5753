import type { Labels } from '../host/event-data.ts'
import type { NodeInfo } from './registry.ts'

/** Which node a client has a session opened on. */
export class Placement {
  /** Openings under way, by the node: Redis may not have counted them yet. */
  readonly #openings = new Map<string, number>()

  /**
   * The node with the fewest sessions, of those that have some labels and take sessions; of several one at random. Its opening counts
   * until {@link Placement.ended}.
   */
  begin(nodes: readonly NodeInfo[], labels: Labels, avoided: ReadonlySet<string>): NodeInfo | undefined {
    const fitting = nodes.filter(
      (node) =>
        !node.draining && Object.entries(labels).every(([name, value]) => node.labels[name] === value),
    )
    const wanted = fitting.filter(({ instance }) => !avoided.has(instance))
    // One that could not be reached before may be there again.
    const among = wanted.length > 0 ? wanted : fitting
    const loads = among.map((node) => ({ node, load: node.sessions + this.#openingsOn(node) }))
    const least = Math.min(...loads.map(({ load }) => load))
    const best = loads.filter(({ load }) => load === least)
    const node = best[Math.floor(Math.random() * best.length)]?.node
    if (node !== undefined) this.#openings.set(node.instance, this.#openingsOn(node) + 1)
    return node
  }

  /** An opening has ended, whatever came of it. */
  ended({ instance }: NodeInfo): void {
    const left = (this.#openings.get(instance) ?? 0) - 1
    if (left > 0) this.#openings.set(instance, left)
    else this.#openings.delete(instance)
  }

  #openingsOn({ instance }: NodeInfo): number {
    return this.#openings.get(instance) ?? 0
  }
}
