import { hash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Answers } from '../http/answers.ts'
import type { RequestLoad } from '../http/load.ts'
import { readBody } from '../http/read-body.ts'
import { type AllowedSources, checkSource } from '../http/source.ts'
import { FENCE_HEADER, INSTANCE_HEADER, isKey, KEY_HEADER } from '../protocol/headers.ts'
import { stallTime } from './event-writer.ts'
import { Gone } from './gone.ts'
import { KeyedCalls } from './keyed-calls.ts'
import type { Ownership } from './ownership.ts'
import { type Principal, type Principals, requireRate, requireScope, tokenOf } from './principals.ts'
import type { AnswerHeaders, Call, Reply, Route } from './route.ts'
import { internalProblem, problemFor, ServiceProblem, saysLater } from './service-problem.ts'

/** What answering is done with. */
interface AnsweringParts {
  readonly principals: Principals
  readonly sources: AllowedSources
  readonly instance: string
  /** Undefined where no other process shares its sandboxes. */
  readonly ownership: Ownership | undefined
  /** The key of the sandbox that a principal calls so. @throws {ServiceProblem} for a text that can be no id */
  readonly keyOf: (principal: Principal, id: string) => string
  /** Bytes. */
  readonly maxBodyBytes: number
  /** Seconds. */
  readonly keyTime: number
  /** Aborted when nobody is let in any more. */
  readonly closing: AbortSignal
  readonly isClosing: () => boolean
  readonly log: (line: string) => void
}

/** Headers of every answer. */
const commonHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

/** A call with a key, and what comes of it. */
interface KeyedCall {
  readonly reply: Promise<Reply>
}

/** Answers requests: who may send them, what they hold, and what came of them. */
export class Answering {
  readonly answers = new Answers()
  readonly #parts: AnsweringParts
  readonly #keyed: KeyedCalls<KeyedCall>

  constructor(parts: AnsweringParts) {
    this.#parts = parts
    this.#keyed = new KeyedCalls(parts.keyTime)
  }

  /** Answers a request. Never rejects. */
  async answer(
    route: Route,
    params: Readonly<Record<string, string>>,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const gone = new Gone(response)
    const headers = { ...commonHeaders }
    let load: RequestLoad | undefined
    let isOver = false
    const isThere = this.answers.add(request, response, () => {
      isOver = true
      gone.over()
      // The answer is held for as long as its client takes it.
      load?.end()
    })
    if (!isThere) return
    try {
      const principal = await this.#admit(route, request, headers)
      load = principal?.load.begin()
      const reply = await this.#reply(route, principal, { params, request, response, headers, load, gone })
      if (reply !== undefined) send(response, reply, headers)
    } catch (error) {
      this.#refuse(request, response, error, headers)
    } finally {
      if (isOver) load?.end()
    }
  }

  /** Answers a request that is for no route. Never rejects. @param methods - of the path; none where there is no such path */
  async answerNothing(
    request: IncomingMessage,
    response: ServerResponse,
    methods: readonly string[] = [],
  ): Promise<void> {
    if (!this.answers.add(request, response)) return
    const headers = { ...commonHeaders }
    try {
      if (this.#preflights(request, response, headers)) return
      await this.#letIn(request, headers)
      if (methods.length === 0)
        throw new ServiceProblem('NOT_FOUND', 'There is nothing here. GET /openapi.json tells what there is.')
      const allow = methods.join(', ')
      throw new ServiceProblem('METHOD_NOT_ALLOWED', `The methods here are ${allow}.`, { headers: { allow } })
    } catch (error) {
      this.#refuse(request, response, error, headers)
    }
  }

  /** Who sent a request that has no response, as for a web socket. @throws {ServiceProblem} for one that is not let in */
  async identify(request: IncomingMessage): Promise<Principal> {
    checkSource(request, withOwnOrigin(this.#parts.sources, request))
    return this.#principalOf(request)
  }

  /** Lets a request in. @param headers - get what its answer tells a web page. @throws {ServiceProblem} for one that is not let in */
  #letIn(request: IncomingMessage, headers: AnswerHeaders): Promise<Principal> {
    const { sources, instance } = this.#parts
    const origin = checkSource(request, withOwnOrigin(sources, request))
    headers[INSTANCE_HEADER] = instance
    if (origin !== undefined) {
      headers['access-control-allow-origin'] = origin
      headers['access-control-expose-headers'] =
        `${INSTANCE_HEADER}, ${FENCE_HEADER}, strands-execution, retry-after`
      headers['vary'] = 'origin'
    }
    return this.#principalOf(request)
  }

  /** Sends what a client reads of an error. */
  #refuse(request: IncomingMessage, response: ServerResponse, error: unknown, headers: AnswerHeaders): void {
    const known = problemFor(error)
    if (known === undefined) this.#parts.log(`A request failed: ${String(error)}`)
    if (response.headersSent) {
      response.destroy()
      return
    }
    const problem = known?.problem ?? internalProblem()
    const reply = {
      status: problem.status,
      headers: {
        'content-type': 'application/problem+json',
        ...known?.headers,
        // What the client still sends is not read.
        ...(request.complete ? {} : { connection: 'close' }),
      },
      body: JSON.stringify(problem),
    }
    send(response, reply, headers)
  }

  async #principalOf(request: IncomingMessage): Promise<Principal> {
    const { principals, closing } = this.#parts
    const principal = await principals.identify(tokenOf(request), request, closing)
    requireRate(principal)
    return principal
  }

  /** Tells a browser that a page of an allowed origin may send requests. */
  #preflights(request: IncomingMessage, response: ServerResponse, headers: AnswerHeaders): boolean {
    if (request.method !== 'OPTIONS' || request.headers.origin === undefined) return false
    const origin = checkSource(request, withOwnOrigin(this.#parts.sources, request))
    const allowed = {
      'access-control-allow-origin': origin ?? '',
      'access-control-allow-methods': 'GET, POST, PUT, DELETE',
      'access-control-allow-headers':
        'authorization, content-type, accept, idempotency-key, last-event-id, strands-instance',
      'access-control-max-age': '600',
      vary: 'origin',
    }
    send(response, { status: 204, headers: allowed }, headers)
    return true
  }

  async #admit(
    route: Route,
    request: IncomingMessage,
    headers: AnswerHeaders,
  ): Promise<Principal | undefined> {
    const { isClosing, instance } = this.#parts
    if (route.scope === 'none') return undefined
    const principal = await this.#letIn(request, headers)
    if (route.scope !== 'any') requireScope(principal, route.scope)
    if (isClosing())
      throw new ServiceProblem('UNAVAILABLE', 'The service is about to stop.', {
        headers: { 'retry-after': '1', connection: 'close' },
      })
    const wanted = request.headers[INSTANCE_HEADER]
    if (wanted !== undefined && wanted !== instance)
      throw new ServiceProblem(
        'OTHER_INSTANCE',
        'This process is not the one that the request names: that one has ended, or is elsewhere.',
      )
    return principal
  }

  async #reply(
    route: Route,
    principal: Principal | undefined,
    parts: Pick<Call, 'params' | 'request' | 'response' | 'headers' | 'gone' | 'load'>,
  ): Promise<Reply> {
    const { request, load } = parts
    const query = queryOf(request)
    if (principal === undefined || load === undefined)
      return route.handle({
        ...parts,
        principal: this.#parts.principals.nobody,
        query,
        body: undefined,
        key: undefined,
        digest: '',
      })
    const key = keyOf(request, route)
    const bytes = route.body === undefined ? undefined : await this.#bodyOf(route, request, load)
    const { id } = parts.params
    const params = id === undefined ? parts.params : { ...parts.params, id: this.#parts.keyOf(principal, id) }
    const body = bytes === undefined || route.body === 'bytes' ? bytes : parsed(bytes)
    const digest = key === undefined ? '' : digestOf(request, bytes)
    const { response, headers, gone } = parts
    const call: Call = {
      principal,
      params,
      query,
      body,
      key,
      digest,
      gone,
      load,
      request,
      response,
      headers,
    }
    return this.#owned(route, call, () => {
      if (key === undefined || route.keyed === 'execution') return route.handle(call)
      return this.#once(`${principal.keys}#${key}`, digest, () => route.handle(call))
    })
  }

  /** Handles a call while this process has its sandbox. @throws {ServiceProblem} @throws {WorkerLostError} */
  #owned(route: Route, call: Call, handle: () => Promise<Reply>): Promise<Reply> {
    const { ownership } = this.#parts
    const { id } = call.params
    if (ownership === undefined || id === undefined || route.owned === 'no') return handle()
    return this.#whileOwned(ownership, id, route, call, handle)
  }

  async #whileOwned(
    ownership: Ownership,
    id: string,
    { owned }: Route,
    { headers }: Call,
    handle: () => Promise<Reply>,
  ): Promise<Reply> {
    if (owned !== undefined) await ownership.claim(id, owned === 'takes up')
    const tenure = ownership.enter(id)
    headers[FENCE_HEADER] = String(tenure.fence)
    try {
      return await handle()
    } finally {
      await tenure.confirm().finally(() => tenure.leave())
    }
  }

  #once(key: string, digest: string, handle: () => Promise<Reply>): Promise<Reply> {
    const { call, isNew } = this.#keyed.once(key, digest, () => ({ reply: handle() }))
    if (isNew) {
      call.reply.then(
        (reply) => this.#keyed.ended(key, reply?.body?.length ?? 0),
        (error: unknown) => {
          if (saysLater(problemFor(error)?.problem)) this.#keyed.neverBegan(key)
          else this.#keyed.ended(key, 0)
        },
      )
    }
    return call.reply
  }

  async #bodyOf(route: Route, request: IncomingMessage, load: RequestLoad): Promise<Buffer> {
    const type = (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase()
    if (route.body !== 'bytes' && type !== 'application/json')
      throw new ServiceProblem('UNSUPPORTED_MEDIA', 'The body must be application/json.')
    return readBody(request, this.#parts.maxBodyBytes, load)
  }
}

/** The page of the service itself is of an origin that has the name of the request. */
function withOwnOrigin(
  sources: AllowedSources,
  { headers: { host = '', origin = '' } }: IncomingMessage,
): AllowedSources {
  if (origin === '') return sources
  const isOwn = origin === `http://${host}` || origin === `https://${host}`
  return isOwn ? { ...sources, allowedOrigins: new Set([origin]) } : sources
}

/** Sends an answer; a client that takes nothing of it for a minute is let go. */
function send(
  response: ServerResponse,
  { status, headers, body }: Exclude<Reply, undefined>,
  others: AnswerHeaders,
): void {
  if (response.destroyed) return
  const length = body === undefined ? undefined : Buffer.byteLength(body)
  response.writeHead(
    status,
    length === undefined ? { ...others, ...headers } : { ...others, 'content-length': length, ...headers },
  )
  response.end(body)
  if (response.writableLength > 0) response.setTimeout(stallTime, () => response.destroy())
}

function queryOf({ url = '' }: IncomingMessage): unknown {
  const at = url.indexOf('?')
  return at === -1 ? {} : Object.fromEntries(new URLSearchParams(url.slice(at + 1)))
}

function keyOf({ headers }: IncomingMessage, { keyed }: Route): string | undefined {
  const key = headers[KEY_HEADER]
  if (key === undefined) return undefined
  if (keyed === undefined)
    throw new ServiceProblem('INVALID_REQUEST', 'This route takes no Idempotency-Key.', {
      field: 'Idempotency-Key',
    })
  if (typeof key === 'string' && isKey(key)) return key
  throw new ServiceProblem('INVALID_REQUEST', 'Idempotency-Key must be 1 to 128 visible ASCII characters.', {
    field: 'Idempotency-Key',
  })
}

function digestOf({ method = '', url = '' }: IncomingMessage, bytes: Buffer | undefined): string {
  const begin = Buffer.from(`${method} ${url}\n`)
  return hash('sha256', bytes === undefined ? begin : Buffer.concat([begin, bytes]), 'base64')
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    // What its text was is the client's to know.
    throw new ServiceProblem('INVALID_REQUEST', 'The body is not JSON.')
  }
}
