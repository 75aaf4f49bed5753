/** The keys of a cluster in Redis. The braces keep them together where Redis is a cluster itself. */
export class Keys {
  readonly #prefix: string

  /** @param name - of the cluster. */
  constructor(name: string) {
    this.#prefix = `strands:{${name}}`
  }

  /** What the keys of the queue begin with. */
  get jobs(): string {
    return `${this.#prefix}:jobs`
  }

  /** Which run of Redis the cluster has seen last. */
  get run(): string {
    return `${this.#prefix}:run`
  }

  /** There while nodes may have leases that Redis has forgotten. */
  get young(): string {
    return `${this.#prefix}:young`
  }

  /** The last fence that was given. */
  get fence(): string {
    return `${this.#prefix}:fence`
  }

  /** The names of nodes. */
  get nodes(): string {
    return `${this.#prefix}:nodes`
  }

  /** The ids of sessions that somebody has had. */
  get sessions(): string {
    return `${this.#prefix}:sessions`
  }

  /** A node: there for as long as its lease lasts. */
  node(instance: string): string {
    return `${this.#prefix}:node:${instance}`
  }

  /** Who has a session. */
  session(id: string): string {
    return `${this.#prefix}:session:${id}`
  }
}
