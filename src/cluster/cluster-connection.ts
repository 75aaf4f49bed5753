import type { IncomingMessage } from 'node:http'
import * as v from 'valibot'
import { performance, sleep } from '../async/clock.ts'
import { watchSignal } from '../async/watch-signal.ts'
import type { Labels } from '../host/event-data.ts'
import { FENCE_HEADER, INSTANCE_HEADER } from '../protocol/headers.ts'
import {
  type HttpReply,
  type HttpRequest,
  instanceIn,
  LostConnection,
  type ServiceConnection,
  wholeReply,
} from '../remote/connection.ts'
import { ClusterUnavailableError, type WorkerLostError } from '../sandbox/errors.ts'
import { lossError } from '../sandbox/loss-error.ts'
import { quote } from '../sandbox/show-value.ts'
import type { Owner, Owners } from './owners.ts'

/** The status of the problem `NOT_OWNER`. */
const notOwner = 421
/** Milliseconds that a node has to say that it is there. */
const answerTime = 2_000

const selfSchema = v.object({ instance: v.string() })

/**
 * The way to whichever node has a session. A request that has not begun anywhere goes to the node that has the session then, until the
 * patience of its call has passed, all attempts of the call together. One that may have begun on a node that is gone is not sent again:
 * it rejects with `WORKER_LOST`.
 */
export class ClusterConnection implements ServiceConnection {
  readonly url = 'the cluster'
  readonly #owners: Owners
  readonly #on: Labels
  /** Answers whose node was taken for lost before they had ended. */
  readonly #cut = new WeakSet<IncomingMessage>()

  /** @param on - what the nodes must have that take sessions up. */
  constructor(owners: Owners, on: Labels) {
    this.#owners = owners
    this.#on = on
  }

  async send(request: HttpRequest): Promise<HttpReply> {
    return this.whole(await this.begin(request), request.signal)
  }

  async whole(response: IncomingMessage, signal: AbortSignal | undefined): Promise<HttpReply> {
    try {
      return await wholeReply(response, signal)
    } catch (error) {
      throw this.#cut.has(response) ? nodeLost('') : error
    }
  }

  async begin(request: HttpRequest): Promise<IncomingMessage> {
    const id = idIn(request.path)
    const { since = performance.now() } = request
    const pinned = request.headers[INSTANCE_HEADER]
    if (pinned !== undefined) return this.#beginAgain(id, pinned, request)
    const until = since + this.#owners.patience
    for (let wait = 50; ; wait = Math.min(wait * 2, 1000)) {
      const owner = await this.#owners.of(id, this.#on, until)
      const response = await this.#attempt(id, owner, request)
      if (response !== undefined && this.#owners.isStale(id, fenceIn(response))) {
        response.destroy()
        throw nodeLost(id)
      }
      if (response !== undefined && response.statusCode !== notOwner) return response
      response?.resume()
      this.#owners.forget(id, owner)
      if (request.signal?.aborted === true) throw request.signal.reason
      if (performance.now() + wait > until)
        throw new ClusterUnavailableError(
          `No node has answered in time for the session ${quote(id)}. The call has not run.`,
        )
      await sleep(wait)
    }
  }

  async *read(response: IncomingMessage, signal: AbortSignal | undefined): AsyncGenerator<Buffer, void> {
    try {
      for await (const piece of response) if (Buffer.isBuffer(piece)) yield piece
    } catch (error) {
      if (this.#cut.has(response)) throw nodeLost('')
      throw signal?.aborted === true ? error : new LostConnection(error, true, instanceIn(response))
    }
    if (!response.complete) throw new LostConnection('The answer was cut off.', true, instanceIn(response))
  }

  /** Asks the process that may have begun with a call for its answer. No other one has it. */
  async #beginAgain(id: string, instance: string, request: HttpRequest): Promise<IncomingMessage> {
    const owner = this.#owners.known(id)
    const response = owner?.instance === instance ? await this.#attempt(id, owner, request) : undefined
    if (response !== undefined && response.statusCode !== notOwner) return response
    response?.resume()
    if (owner !== undefined && owner.instance === instance) this.#owners.forget(id, owner)
    throw nodeLost(id)
  }

  /** Sends a request to a node; undefined where it has not got it. @throws what the call rejects with */
  async #attempt(id: string, owner: Owner, request: HttpRequest): Promise<IncomingMessage | undefined> {
    const { connection, pulse } = owner
    const { signal } = request
    const stop = new AbortController()
    let isSilent = false
    let response: IncomingMessage | undefined
    const unwatchNode = pulse.watch(() => {
      isSilent = true
      if (response !== undefined) this.#cut.add(response)
      this.#owners.forget(id, owner)
      stop.abort()
    })
    const unwatchCaller = signal && watchSignal(signal, () => stop.abort())
    try {
      response = await connection.begin({ ...request, signal: stop.signal })
      pulse.heard()
      return response
    } catch (error) {
      if (isSilent) throw nodeLost(id)
      if (!(error instanceof LostConnection)) throw error
      const mayHaveBegun = error.wasSent && request.method !== 'GET'
      if (!mayHaveBegun) return undefined
      // The same process knows what became of the call.
      if (await isThere(owner, stop.signal)) throw new LostConnection(error, true, owner.instance)
      this.#owners.forget(id, owner)
      throw nodeLost(id)
    } finally {
      const unwatch = () => {
        unwatchNode()
        unwatchCaller?.()
      }
      if (response === undefined) unwatch()
      else response.once('close', unwatch)
    }
  }
}

/** Whether the same process answers under the address of a node. */
async function isThere({ connection, instance }: Owner, stop: AbortSignal): Promise<boolean> {
  try {
    const signal = AbortSignal.any([stop, AbortSignal.timeout(answerTime)])
    const reply = await connection.send({ method: 'GET', path: '/v1/self', headers: {}, signal })
    return v.is(selfSchema, JSON.parse(reply.body.toString())) && instanceIn(reply) === instance
  } catch {
    // It does not, or not in time.
    return false
  }
}

function idIn(path: string): string {
  const [, id = ''] = /^\/v1\/sandboxes\/([^/?]+)/.exec(path) ?? []
  return decodeURIComponent(id)
}

/** An answer without one is of a request that the node has refused as a whole. */
function fenceIn({ headers }: IncomingMessage): number {
  return Number(headers[FENCE_HEADER] ?? Number.POSITIVE_INFINITY)
}

function nodeLost(id: string): WorkerLostError {
  const session = id === '' ? 'this session' : `the session ${quote(id)}`
  const message = `The node that had ${session} is gone. The call may have run. The next one goes on from the last checkpoint.`
  return lossError({ code: 'NODE_LOST', message }, message)
}
