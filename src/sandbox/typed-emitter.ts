import { EventEmitter } from 'node:events'
import { nextTick } from '../async/clock.ts'
import { refuse } from './arguments.ts'
import { kindOf, showValue } from './show-value.ts'

type Listener<Data> = (data: Data) => void

/**
 * A `node:events` emitter that knows its events. A listener is called once however often it was added. What a listener
 * throws is thrown again on the next tick, as an uncaught exception: no other listener and no caller sees it.
 */
export class TypedEmitter<Events extends object> {
  readonly #emitter = new EventEmitter()
  readonly #names: readonly string[]

  /** @param names - every event. */
  constructor(names: readonly (keyof Events & string)[]) {
    this.#names = names
    this.#emitter.setMaxListeners(0)
  }

  /** @throws SandboxConfigError with the field `event` or `listener` */
  on<Name extends keyof Events & string>(event: Name, listener: Listener<Events[Name]>): void {
    this.#check(event, listener)
    if (!this.#emitter.listeners(event).includes(listener)) this.#emitter.on(event, listener)
  }

  /** @throws SandboxConfigError with the field `event` or `listener` */
  off<Name extends keyof Events & string>(event: Name, listener: Listener<Events[Name]>): void {
    this.#check(event, listener)
    this.#emitter.off(event, listener)
  }

  /** True where the event has a listener. */
  listensTo(event: keyof Events & string): boolean {
    return this.#emitter.listenerCount(event) > 0
  }

  /** Calls every listener of the event. They get the data frozen. */
  emit<Name extends keyof Events & string>(event: Name, data: Events[Name]): void {
    if (this.#emitter.listenerCount(event) === 0) return
    Object.freeze(data)
    for (const listener of this.#emitter.listeners(event)) {
      try {
        listener(data)
      } catch (error) {
        nextTick(() => {
          throw error
        })
      }
    }
  }

  #check(event: unknown, listener: unknown): void {
    if (typeof event !== 'string' || !this.#names.includes(event)) {
      const known = this.#names.length === 1 ? `'${this.#names[0]}'` : `one of ${this.#names.join(', ')}`
      throw refuse('event', `must be ${known}, but is ${showValue(event)}.`)
    }
    if (typeof listener !== 'function') {
      throw refuse('listener', `must be a function, but is ${kindOf(listener)}.`)
    }
  }
}
