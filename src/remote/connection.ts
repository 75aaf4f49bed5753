import type { IncomingMessage, RequestOptions } from 'node:http'
import https from 'node:https'
import { watchSignal } from '../async/watch-signal.ts'
import { http } from '../network/node-http.ts'
import { INSTANCE_HEADER } from '../protocol/headers.ts'

/** What is sent to a service. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Path and query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array | string | undefined
  readonly signal?: AbortSignal | undefined
  /** When the call began whose attempt this is, by the monotonic clock; undefined: now. */
  readonly since?: number | undefined
}

/** An answer, whole. */
export interface HttpReply {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

/** The way to the service was lost, or there was none. */
export class LostConnection extends Error {
  override readonly name = 'LostConnection'
  /** Whether the service may have the request. */
  readonly wasSent: boolean
  /** The process that may have it; undefined where that is not known. */
  readonly instance: string | undefined

  constructor(cause: unknown, wasSent: boolean, instance?: string) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.wasSent = wasSent
    this.instance = instance
  }
}

/** Connections are shared by all sandboxes of the process, and keep it alive for as long as an answer is awaited. */
const agents = {
  'http:': new http.Agent({ keepAlive: true }),
  'https:': new https.Agent({ keepAlive: true }),
}

/** A way to the service that has a sandbox. */
export interface ServiceConnection {
  /** Where it is. */
  readonly url: string
  /** Sends a request, and resolves with the whole answer. @throws {LostConnection} and what the signal was aborted with */
  send(request: HttpRequest): Promise<HttpReply>
  /** Sends a request, and resolves when its answer begins. @throws as `send` does */
  begin(request: HttpRequest): Promise<IncomingMessage>
  /** The whole of an answer that has begun. @throws as `send` does */
  whole(response: IncomingMessage, signal: AbortSignal | undefined): Promise<HttpReply>
  /** The pieces of an answer. @throws as `send` does */
  read(response: IncomingMessage, signal: AbortSignal | undefined): AsyncGenerator<Buffer, void>
}

/** The whole of an answer that has begun. @throws {LostConnection} and what the signal was aborted with */
export function wholeReply(response: IncomingMessage, signal: AbortSignal | undefined): Promise<HttpReply> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    let cause: unknown = new Error('The answer was cut off.')
    response.on('data', (piece: Buffer) => pieces.push(piece))
    response.on('error', (error) => {
      cause = error
    })
    response.on('close', () => {
      const { complete, statusCode: status = 0, headers } = response
      if (complete) resolve({ status, headers, body: Buffer.concat(pieces) })
      else reject(signal?.aborted === true ? cause : new LostConnection(cause, true, instanceIn(response)))
    })
  })
}

/** The process that has answered. */
export function instanceIn({ headers }: Pick<HttpReply, 'headers'>): string | undefined {
  const instance = headers[INSTANCE_HEADER]
  return typeof instance === 'string' ? instance : undefined
}

/** Sends requests to one service. */
export class Connection implements ServiceConnection {
  readonly #url: URL
  readonly #headers: Readonly<Record<string, string>>
  /** What all its requests have. */
  readonly #target: RequestOptions
  /** The path of the service, without a slash at its end. */
  readonly #path: string

  /** @param url - of the service, `http:` or `https:`. */
  constructor(url: URL, token: string) {
    const { protocol, hostname, port, pathname } = url
    this.#url = url
    this.#headers = { authorization: `Bearer ${token}` }
    this.#target = {
      agent: protocol === 'https:' ? agents['https:'] : agents['http:'],
      hostname: hostname.replace(/^\[|\]$/g, ''),
      ...(port === '' ? {} : { port }),
    }
    this.#path = pathname.replace(/\/$/, '')
  }

  get url(): string {
    return this.#url.href
  }

  async send(request: HttpRequest): Promise<HttpReply> {
    return wholeReply(await this.begin(request), request.signal)
  }

  whole(response: IncomingMessage, signal: AbortSignal | undefined): Promise<HttpReply> {
    return wholeReply(response, signal)
  }

  begin({ method, path, headers, body, signal }: HttpRequest): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      let wasSent = false
      const length: Record<string, string> =
        body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
      const sent = (this.#url.protocol === 'https:' ? https : http).request({
        ...this.#target,
        method,
        path: `${this.#path}${path}`,
        headers: { ...this.#headers, ...length, ...headers },
      })
      // Until the answer has ended: another request may have the connection then.
      const unwatch = signal && watchSignal(signal, () => sent.destroy())
      sent.on('close', () => unwatch?.())
      sent.on('socket', (socket) => {
        if (!socket.connecting) wasSent = true
        else socket.once('connect', () => (wasSent = true))
      })
      sent.on('response', (response) => {
        // Who reads it is told; where nobody does any more, nobody is.
        response.on('error', () => undefined)
        response.on('end', () => unwatch?.())
        resolve(response)
      })
      sent.on('error', (error) =>
        reject(signal?.aborted === true ? error : new LostConnection(error, wasSent)),
      )
      sent.end(body)
    })
  }

  async *read(response: IncomingMessage, signal: AbortSignal | undefined): AsyncGenerator<Buffer, void> {
    try {
      for await (const piece of response) {
        if (Buffer.isBuffer(piece)) yield piece
      }
    } catch (error) {
      throw signal?.aborted === true ? error : new LostConnection(error, true, instanceIn(response))
    }
    if (!response.complete) throw new LostConnection('The answer was cut off.', true, instanceIn(response))
  }
}
