import type { SandboxEvent, SandboxEventData, SandboxEventMap } from './event-data.ts'
import type { HostedSession } from './hosted-session.ts'
import type { SandboxEvents } from './sandbox-events.ts'

/** What every event of one kind says of its sandbox. */
export type EventAbout<Kind extends SandboxEvent> = SandboxEventData & { readonly kind: Kind }

/** Tells what happens to one sandbox: its listeners, and those of its host. */
export class EventReporter {
  readonly #session: HostedSession
  readonly #hostEvents: SandboxEvents
  /** Events that listeners have made while they were told of another one. */
  readonly #untold: (() => void)[] = []
  #sequence = 0
  #isTelling = false

  constructor(session: HostedSession, hostEvents: SandboxEvents) {
    this.#session = session
    this.#hostEvents = hostEvents
  }

  /** True where somebody listens to an event of the sandbox. */
  isHeard(kind: SandboxEvent): boolean {
    return this.#hostEvents.listensTo(kind) || this.#session.listeners?.listensTo(kind) === true
  }

  /**
   * Tells of an event.
   *
   * @param make - makes what is told; called only where somebody listens.
   * @param generation - of the session that it is about.
   */
  report<Kind extends SandboxEvent>(
    kind: Kind,
    make: (about: EventAbout<Kind>) => SandboxEventMap[Kind],
    generation = this.#session.generation,
  ): void {
    this.#sequence += 1
    if (!this.isHeard(kind)) return
    const { listeners, id, sandbox, labels, isolation, shell } = this.#session
    const sequence = this.#sequence
    const data = make({ kind, time: Date.now(), id, sandbox, labels, isolation, shell, generation, sequence })
    if (this.#isTelling) this.#untold.push(() => this.#tell(kind, data, listeners))
    else this.#tellFirst(kind, data, listeners)
  }

  /** Every listener is told of one event before any is told of the next. */
  #tellFirst<Kind extends SandboxEvent>(
    kind: Kind,
    data: SandboxEventMap[Kind],
    own: SandboxEvents | undefined,
  ): void {
    this.#isTelling = true
    this.#tell(kind, data, own)
    while (this.#untold.length > 0) this.#untold.shift()?.()
    this.#isTelling = false
  }

  #tell<Kind extends SandboxEvent>(
    kind: Kind,
    data: SandboxEventMap[Kind],
    own: SandboxEvents | undefined,
  ): void {
    this.#hostEvents.emit(kind, data)
    own?.emit(kind, data)
  }
}
