import { performance } from 'node:perf_hooks'
import type { Redis } from 'ioredis'

/** Counts the commands that a Redis runs, those of scripts among them. */
export class RedisCommands {
  readonly #redis: Redis
  #commands = 0
  #seconds = 0

  constructor(redis: Redis) {
    this.#redis = redis
  }

  /** Counts while something is done. */
  async during<T>(act: () => Promise<T>): Promise<T> {
    const before = await this.#all()
    const start = performance.now()
    const done = await act()
    this.#seconds += (performance.now() - start) / 1000
    this.#commands += (await this.#all()) - before
    return done
  }

  get seconds(): number {
    return this.#seconds
  }

  /** Those that were counted, without as many as another count has in the same time. */
  without(other: RedisCommands): number {
    return this.#commands - (other.#commands / other.#seconds) * this.#seconds
  }

  /** All that Redis has run, without the questions for it. */
  async #all(): Promise<number> {
    const text = await this.#redis.info('commandstats')
    const counts = [...text.matchAll(/^cmdstat_(?!info:)[^:]+:calls=(\d+)/gm)]
    return counts.reduce((sum, [, calls]) => sum + Number(calls), 0)
  }
}
