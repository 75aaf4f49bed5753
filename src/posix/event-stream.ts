import type { ExecutionEvent } from '../sandbox/results.ts'

/** Where a running command's events go. */
export interface EventSink {
  emit(event: ExecutionEvent): void
  /** There are no more events. */
  end(): void
  fail(error: unknown): void
}

/** Starts the command; the answer stops it, and does nothing once it has ended. */
export type StartCommand = (sink: EventSink) => () => void

interface Reader {
  readonly resolve: (step: IteratorResult<ExecutionEvent, void>) => void
  readonly reject: (error: unknown) => void
}

/**
 * The events of a command that starts at the first `next()`. Unlike a generator's, its `return()` does not wait for a
 * pending `next()`: the command is stopped at once.
 */
export class EventStream implements AsyncGenerator<ExecutionEvent, void, undefined> {
  readonly #start: StartCommand
  readonly #events: ExecutionEvent[] = []
  readonly #readers: Reader[] = []
  #state: 'new' | 'running' | 'ended' = 'new'
  #failure: { readonly error: unknown } | undefined
  #stop: (() => void) | undefined

  constructor(start: StartCommand) {
    this.#start = start
  }

  next(): Promise<IteratorResult<ExecutionEvent, void>> {
    if (this.#state === 'new') this.#begin()
    const event = this.#events.shift()
    if (event !== undefined) return Promise.resolve({ done: false, value: event })
    if (this.#failure !== undefined) {
      const { error } = this.#failure
      this.#failure = undefined
      return Promise.reject(error)
    }
    if (this.#state === 'ended') return Promise.resolve({ done: true, value: undefined })
    return new Promise((resolve, reject) => {
      this.#readers.push({ resolve, reject })
    })
  }

  return(): Promise<IteratorResult<ExecutionEvent, void>> {
    this.#close()
    return Promise.resolve({ done: true, value: undefined })
  }

  throw(error: unknown): Promise<IteratorResult<ExecutionEvent, void>> {
    this.#close()
    return Promise.reject(error)
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#close()
  }

  #begin(): void {
    this.#state = 'running'
    try {
      this.#stop = this.#start({
        emit: (event) => this.#emit(event),
        end: () => this.#end(),
        fail: (error) => this.#fail(error),
      })
    } catch (error) {
      this.#fail(error)
    }
  }

  #emit(event: ExecutionEvent): void {
    if (this.#state !== 'running') return
    const reader = this.#readers.shift()
    if (reader === undefined) this.#events.push(event)
    else reader.resolve({ done: false, value: event })
  }

  #fail(error: unknown): void {
    if (this.#state !== 'running') return
    const reader = this.#readers.shift()
    if (reader === undefined) this.#failure = { error }
    else reader.reject(error)
    this.#end()
  }

  #end(): void {
    this.#state = 'ended'
    for (const reader of this.#readers.splice(0)) reader.resolve({ done: true, value: undefined })
  }

  #close(): void {
    this.#events.length = 0
    this.#failure = undefined
    this.#end()
    this.#stop?.()
  }
}
