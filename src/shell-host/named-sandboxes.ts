import type { EngineName } from '../contract/lease.ts'
import type { CloseReason } from '../host/end-reasons.ts'
import type { SandboxEventData } from '../host/event-data.ts'
import type { ShellSandboxes } from './shells.ts'

/** Ids of closed sandboxes whose generation is remembered, at most. */
const mostRemembered = 10_000

/** A sandbox of whichever shell. */
type AnySandbox = ShellSandboxes[EngineName]

/** A named sandbox, and its opening. */
export interface Named {
  readonly sandbox: AnySandbox
  readonly opening: Promise<AnySandbox>
}

/** The sandboxes of a host that have an id: held until they are closed. */
export class NamedSandboxes {
  readonly #open = new Map<string, Named>()
  /** The last generation of sandboxes that their host closed, oldest first. */
  readonly #generations = new Map<string, number>()

  get(id: string): Named | undefined {
    return this.#open.get(id)
  }

  /** The number of the first session of a sandbox that is opened under this id now. */
  firstGeneration(id: string): number {
    return (this.#generations.get(id) ?? 0) + 1
  }

  add(id: string, named: Named): void {
    this.#open.set(id, named)
  }

  /** Lets go of a sandbox that could not be opened, or was closed before it was used. */
  remove(id: string, sandbox: AnySandbox): void {
    if (this.#open.get(id)?.sandbox === sandbox) this.#open.delete(id)
  }

  /** A sandbox was closed. Where its host did so, the next one of its id counts on from its last generation. */
  closed({ id, generation }: Pick<SandboxEventData, 'id' | 'generation'>, reason: CloseReason): void {
    if (id === undefined) return
    this.#open.delete(id)
    this.#generations.delete(id)
    if (reason !== 'idle' && reason !== 'lifetime') return
    this.#generations.set(id, generation)
    const [oldest] = this.#generations.keys()
    if (this.#generations.size > mostRemembered && oldest !== undefined) this.#generations.delete(oldest)
  }
}
