import { FixedQueue, type TaskQueue } from 'piscina'

type Task = Parameters<TaskQueue['push']>[0]

/**
 * Piscina's queue. Its size is at most the number of free places, because Piscina starts workers up to `maxThreads` at
 * once while its queue holds a task that no worker can take.
 */
export class OpenQueue implements TaskQueue {
  readonly #tasks = new FixedQueue()
  readonly #freePlaces: () => number

  constructor(freePlaces: () => number) {
    this.#freePlaces = freePlaces
  }

  get size(): number {
    return Math.min(this.waiting, this.#freePlaces())
  }

  /** The tasks that no worker has, whether or not there is a place for them. */
  get waiting(): number {
    return this.#tasks.size
  }

  push(task: Task): void {
    this.#tasks.push(task)
  }

  shift(): Task | null {
    return this.#tasks.shift()
  }

  remove(task: Task): void {
    this.#tasks.remove(task)
  }

  clear(): void {
    while (this.#tasks.size > 0) this.#tasks.shift()
  }
}
