interface Job {
  readonly id: number
  readonly start: () => Promise<void>
  readonly drop: () => void
}

/** Runs jobs one at a time, first in first out. A job that has not begun can be taken out again. */
export class CallQueue {
  #waiting: Job[] = []
  #running: number | undefined

  /** The id of the job that runs; undefined where none does. */
  get running(): number | undefined {
    return this.#running
  }

  /** Queues `job`; resolves with its result, or with `dropped` if it was taken out before it began. */
  add<T>(id: number, job: () => Promise<T>, dropped: T): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ id, start: () => job().then(resolve, reject), drop: () => resolve(dropped) })
      if (this.#running === undefined) void this.#drain()
    })
  }

  /** Takes a waiting job out. True: it will not run. */
  cancel(id: number): boolean {
    const index = this.#waiting.findIndex((job) => job.id === id)
    if (index < 0) return false
    this.#waiting.splice(index, 1)[0]?.drop()
    return true
  }

  /** Takes every waiting job out. */
  clear(): void {
    for (const job of this.#waiting.splice(0)) job.drop()
  }

  async #drain(): Promise<void> {
    for (let job = this.#waiting.shift(); job !== undefined; job = this.#waiting.shift()) {
      this.#running = job.id
      await job.start()
    }
    this.#running = undefined
  }
}
