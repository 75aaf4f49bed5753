import type { Redis } from 'ioredis'
import { interruptible } from '../async/interruptible.ts'
import { ClusterUnavailableError } from '../sandbox/errors.ts'
import { errorMessage } from '../sandbox/kinds.ts'
import { requirePeer } from '../tools/require-peer.ts'

/** Milliseconds between attempts to connect, at most. */
const longestWait = 500

/** What a script is run with. */
interface ScriptRun {
  readonly keys: readonly string[]
  readonly arguments: readonly (string | number)[]
}

/** A connection to Redis whose commands fail in time: it keeps none for later. */
export class RedisLink {
  readonly #redis: Redis
  readonly #seconds: number
  /** Names the run of the server that it is connected to; undefined while it is not. */
  #run: Promise<string> | undefined
  #wake: (() => void)[] = []

  private constructor(redis: Redis, seconds: number) {
    this.#redis = redis
    this.#seconds = seconds
    redis.on('ready', () => {
      const run = redis.info('server').then(runIn)
      this.#run = run
      // Who runs a script is told. The next connection asks again.
      run.catch(() => redis.disconnect(true))
      for (const wake of this.#wake.splice(0)) wake()
    })
    redis.on('close', () => {
      this.#run = undefined
    })
    // Who runs a script is told what is wrong.
    redis.on('error', () => undefined)
  }

  /** @param seconds - that a command may take. */
  static async open(url: string, seconds: number): Promise<RedisLink> {
    const { Redis } = await requirePeer('ioredis', () => import('ioredis'))
    const redis = new Redis(url, {
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      connectTimeout: seconds * 1000,
      commandTimeout: seconds * 1000,
      retryStrategy: (times) => Math.min(50 * times, longestWait),
    })
    return new RedisLink(redis, seconds)
  }

  /** Runs a script. @param build - makes what it is run with; it gets the name of the run of the server. @throws {ClusterUnavailableError} */
  async run(script: string, build: (run: string) => ScriptRun): Promise<unknown> {
    try {
      const run = await this.#connected()
      const { keys, arguments: given } = build(run)
      return await this.#redis.eval(script, keys.length, ...keys, ...given)
    } catch (cause) {
      throw new ClusterUnavailableError(`Redis did not do what the cluster needs: ${errorMessage(cause)}.`, {
        cause,
      })
    }
  }

  /** The members of a set, a few hundred at a time. @throws {ClusterUnavailableError} */
  async *members(key: string): AsyncGenerator<readonly string[], void> {
    let cursor = '0'
    do {
      try {
        await this.#connected()
        const [next, members] = await this.#redis.sscan(key, cursor, 'COUNT', 500)
        cursor = next
        yield members
      } catch (cause) {
        throw new ClusterUnavailableError(`Redis did not list the sessions: ${errorMessage(cause)}.`, {
          cause,
        })
      }
    } while (cursor !== '0')
  }

  close(): void {
    this.#redis.disconnect()
    for (const wake of this.#wake.splice(0)) wake()
  }

  async #connected(): Promise<string> {
    if (this.#run === undefined) {
      await interruptible(new Promise<void>((resolve) => this.#wake.push(resolve)), {
        seconds: this.#seconds,
        onTimeout: () => new Error('it cannot be reached'),
      })
    }
    if (this.#run === undefined) throw new Error('the connection was closed')
    return this.#run
  }
}

function runIn(info: string): string {
  const [, run] = /^run_id:(\w+)/m.exec(info) ?? []
  if (run === undefined) throw new Error('it does not tell its run_id')
  return run
}
