import { FixedQueue, type TaskQueue } from 'piscina'

type Task = Parameters<TaskQueue['push']>[0]

/**
 * Piscina's queue, in which it sees as many tasks as there are free places. With a task that it can give to nobody it
 * starts workers until it has as many as it may, in one turn of the event loop.
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
