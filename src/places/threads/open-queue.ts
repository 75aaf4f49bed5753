import { queueOptionsSymbol, type TaskQueue } from 'piscina'

type Task = Parameters<TaskQueue['push']>[0]

/**
 * Piscina's queue. Its size is at most the number of free places, because Piscina starts workers up to `maxThreads` at
 * once while its queue holds a task that no worker can take.
 */
export class OpenQueue implements TaskQueue {
  /** The first one came first. */
  readonly #tasks = new Set<Task>()
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
    this.#tasks.add(task)
  }

  shift(): Task | null {
    for (const task of this.#tasks) {
      this.#tasks.delete(task)
      return task
    }
    return null
  }

  remove(task: Task): void {
    this.#tasks.delete(task)
  }

  /** Takes out the task with these options: Piscina keeps one whose worker it could not start. */
  withdraw(options: object): void {
    for (const task of this.#tasks) if (task[queueOptionsSymbol] === options) this.#tasks.delete(task)
  }

  clear(): void {
    this.#tasks.clear()
  }
}
