import type { Client } from './access.ts'

/** The names of the sandboxes of a server's sessions. */
export class SandboxNames {
  readonly #taken = new Set<string>()
  #unnamed = 0

  get size(): number {
    return this.#taken.size
  }

  /**
   * A name that no other session has: that of the client, with the lowest free number behind it where it has more sessions
   * than one. What has no client's name gets one that is never used again, so that nobody takes it for another's.
   */
  take(client: Client): string {
    const name = client === undefined ? `session-${++this.#unnamed}` : this.#freeNameOf(client)
    this.#taken.add(name)
    return name
  }

  /** The session with this name has ended. */
  giveBack(name: string): void {
    this.#taken.delete(name)
  }

  #freeNameOf(client: string): string {
    if (!this.#taken.has(client)) return client
    let number = 2
    while (this.#taken.has(`${client}#${number}`)) number += 1
    return `${client}#${number}`
  }
}
