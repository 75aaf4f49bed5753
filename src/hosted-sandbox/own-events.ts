import { nextTick } from '../async/clock.ts'
import type { SandboxEvent, SandboxEventMap } from '../host/event-data.ts'
import { SandboxEvents, type SandboxListener } from '../host/sandbox-events.ts'

/** Conflicts that are kept for the first listener. */
const MOST_UNTOLD = 1000

/**
 * The listeners of one sandbox. The sandbox holds them, its session only weakly: a listener that holds its sandbox keeps
 * neither alive. Conflicts that are met before one listens, as while a session wakes, are told to the first that does.
 */
export class OwnEvents extends SandboxEvents {
  /** Undefined once conflicts had a listener. */
  #untold: (() => void)[] | undefined = []

  override on<Event extends SandboxEvent>(event: Event, listener: SandboxListener<Event>): void {
    super.on(event, listener)
    if (event !== 'conflict' || this.#untold === undefined) return
    const untold = this.#untold
    this.#untold = undefined
    nextTick(() => {
      for (const tell of untold) tell()
    })
  }

  override listensTo(event: SandboxEvent): boolean {
    return super.listensTo(event) || (event === 'conflict' && this.#untold !== undefined)
  }

  override emit<Event extends SandboxEvent>(event: Event, data: SandboxEventMap[Event]): void {
    if (event !== 'conflict' || this.#untold === undefined) super.emit(event, data)
    else if (this.#untold.length < MOST_UNTOLD) this.#untold.push(() => super.emit(event, data))
  }
}
