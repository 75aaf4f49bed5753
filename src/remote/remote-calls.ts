import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Backoff } from '../async/backoff.ts'
import { performance, sleep } from '../async/clock.ts'
import { INSTANCE_HEADER, KEY_HEADER } from '../protocol/headers.ts'
import { SandboxConnectionError } from '../sandbox/errors.ts'
import {
  type HttpReply,
  type HttpRequest,
  instanceIn,
  LostConnection,
  type ServiceConnection,
} from './connection.ts'
import { errorOfProblem, problemIn } from './error-of-problem.ts'

/** A call on a service. */
export interface RemoteCall extends Omit<HttpRequest, 'headers'> {
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Whether it may be sent again whatever became of it. Others have a key, which gives them their effect once. */
  readonly isRepeatable?: boolean | undefined
}

/** Longest wait between two attempts, in milliseconds. */
const longestWait = 2_000

/** Statuses of answers of a service that has done nothing, and asks to be asked later. */
const laterStatus: ReadonlySet<number> = new Set([429, 503])

/** Calls on a service: each has its effect at most once, also where a connection is lost meanwhile. */
export class RemoteCalls {
  readonly #connection: ServiceConnection
  readonly #reconnectTime: number
  /** The process that answered last. */
  #instance: string | undefined

  /** @param reconnectTime - seconds. */
  constructor(connection: ServiceConnection, reconnectTime: number) {
    this.#connection = connection
    this.#reconnectTime = reconnectTime
  }

  /** The answer to a call. @throws the error of a problem; {@link SandboxConnectionError} where there is no answer */
  async call(call: RemoteCall): Promise<HttpReply> {
    return this.attempts(call).reply()
  }

  /** Sends a request once. @throws {LostConnection} */
  send(request: HttpRequest): Promise<HttpReply> {
    return this.#connection.send(request)
  }

  /** A call whose answer may come in several connections. */
  attempts(call: RemoteCall): Attempts {
    return new Attempts(call, this.#reconnectTime, {
      instance: () => this.#instance,
      answered: (reply) => {
        this.#instance = instanceIn(reply) ?? this.#instance
      },
      connection: this.#connection,
    })
  }
}

/** What attempts have of their calls. */
interface AttemptsParts {
  readonly connection: ServiceConnection
  readonly instance: () => string | undefined
  readonly answered: (reply: Pick<HttpReply, 'headers'>) => void
}

/** The attempts of one call. */
export class Attempts {
  readonly key = randomUUID()
  readonly #call: RemoteCall
  readonly #seconds: number
  readonly #parts: AttemptsParts
  readonly #backoff = new Backoff(longestWait)
  /** When the call began, or when the last of its answer came. */
  #since = performance.now()
  #lostAt: number | undefined
  /** The process that was known when the call was sent: what answers later may be another one. */
  #sentTo: string | undefined
  /** The process that may have begun with the call: no other may get it. */
  #begunBy: string | undefined

  constructor(call: RemoteCall, seconds: number, parts: AttemptsParts) {
    this.#call = call
    this.#seconds = seconds
    this.#parts = parts
  }

  /** The answer to the call, which is sent until there is one. */
  async reply(): Promise<HttpReply> {
    const { connection } = this.#parts
    for (;;) {
      try {
        const reply = await connection.send({ ...this.#call, headers: this.headers(), since: this.#since })
        if (await this.settles(reply)) return reply
      } catch (error) {
        await this.lost(error)
      }
    }
  }

  /** Begins the answer to the call. @throws as `reply` */
  async begin(headers: Readonly<Record<string, string>>): Promise<IncomingMessage | HttpReply> {
    const { connection } = this.#parts
    const response = await connection.begin({
      ...this.#call,
      headers: { ...this.headers(), ...headers },
      since: this.#since,
    })
    this.#parts.answered(response)
    if (response.statusCode === 200) return response
    return connection.whole(response, this.#call.signal)
  }

  /** The pieces of an answer that has begun. */
  read(response: IncomingMessage): AsyncGenerator<Buffer, void> {
    return this.#parts.connection.read(response, this.#call.signal)
  }

  headers(): Readonly<Record<string, string>> {
    const { headers, isRepeatable = false } = this.#call
    this.#sentTo = this.#begunBy ?? this.#parts.instance()
    return {
      ...headers,
      ...(isRepeatable || this.#call.method === 'GET' ? {} : { [KEY_HEADER]: this.key }),
      ...(this.#begunBy === undefined ? {} : { [INSTANCE_HEADER]: this.#begunBy }),
    }
  }

  /** Whether an answer is that of the call. Waits where it is not. @throws the error of a problem */
  async settles(reply: HttpReply): Promise<boolean> {
    this.#parts.answered(reply)
    if (reply.status < 400) return true
    const problem = problemIn(reply.body)
    if (problem === undefined) {
      throw new SandboxConnectionError(
        `The service answered with the status ${reply.status} and no problem.`,
        {
          started: this.#begunBy !== undefined || reply.status >= 500,
        },
      )
    }
    const isLater =
      laterStatus.has(reply.status) && ['UNAVAILABLE', 'TOO_MANY_REQUESTS'].includes(problem.code)
    const seconds = Number(reply.headers['retry-after'] ?? 1)
    const pause = Math.min(Number.isFinite(seconds) ? seconds : 1, 5) * 1000
    if (!isLater || !this.#hasTime(this.#lostAt ?? this.#since, pause))
      throw errorOfProblem(problem, this.#begunBy !== undefined)
    await sleep(pause, undefined, this.#waitOptions)
    return false
  }

  /** The connection was lost: waits until the next attempt. @throws what the call rejects with, where there is none */
  async lost(error: unknown): Promise<void> {
    if (!(error instanceof LostConnection)) throw error
    const { method, isRepeatable = false } = this.#call
    if (error.wasSent && method !== 'GET' && !isRepeatable) {
      this.#begunBy = error.instance ?? this.#sentTo
      if (this.#begunBy === undefined) throw this.#failure(error)
    }
    this.#lostAt ??= performance.now()
    this.#backoff.failed()
    const { delay } = this.#backoff
    if (!this.#hasTime(this.#lostAt, delay)) throw this.#failure(error)
    await sleep(delay, undefined, this.#waitOptions)
  }

  /** What stands for an answer that ended before its end. */
  cutOff(): LostConnection {
    return new LostConnection('The answer was cut off.', true)
  }

  /** The answer goes on: a later loss is a new one. */
  goesOn(): void {
    this.#lostAt = undefined
    this.#since = performance.now()
    this.#backoff.succeeded()
  }

  /** Whether there is time for another attempt. @param since - when the time began. @param pause - milliseconds before the attempt. */
  #hasTime(since: number, pause: number): boolean {
    return performance.now() + pause < since + this.#seconds * 1000
  }

  get #waitOptions(): { readonly signal?: AbortSignal } {
    return this.#call.signal === undefined ? {} : { signal: this.#call.signal }
  }

  #failure(cause: LostConnection): SandboxConnectionError {
    const started = this.#begunBy !== undefined || cause.wasSent
    const what = started ? 'The call may have run: it is not sent again.' : 'The call has not run.'
    return new SandboxConnectionError(
      `The service at ${this.#parts.connection.url} cannot be reached: ${cause.message}. ${what}`,
      { started, cause },
    )
  }
}
