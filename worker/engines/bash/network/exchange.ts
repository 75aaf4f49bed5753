import { type IncomingMessage, request as openRequest } from 'node:http'
import { brokenOff, RequestFailure, timedOut, tooLarge } from './failure.ts'
import type { Header } from './headers.ts'
import type { Connection } from './route.ts'

/** Bytes of the status line and the headers of a response. */
const HEADER_BYTES = 16 * 1024

/** What a server said before the body. */
export interface AnswerHead {
  readonly version: string
  readonly status: number
  readonly statusText: string
  readonly headers: readonly Header[]
}

/** What a server answered. */
export interface HttpAnswer extends AnswerHead {
  readonly body: Uint8Array<ArrayBuffer>
}

/** One request, as it goes out. */
export interface OutgoingRequest {
  readonly method: string
  /** All of them but those of the framing. Values are bytes as latin1. */
  readonly headers: readonly Header[]
  readonly body: Uint8Array | undefined
}

/**
 * Sends a request on a connection, which serves no other one, and reads its answer.
 *
 * @param maxBody - bytes of the answer's body.
 * @throws RequestFailure
 */
export function exchange(
  { socket, target, headers }: Connection,
  { method, headers: own, body }: OutgoingRequest,
  maxBody: number,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  return new Promise<HttpAnswer>((resolve, reject) => {
    const end = (failure: Error) => {
      reject(failure)
      socket.destroy()
    }
    const onAbort = () => end(timedOut())
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    socket.once('close', () => signal.removeEventListener('abort', onAbort))
    try {
      const outgoing = openRequest({
        createConnection: () => socket,
        method,
        path: target,
        headers: [...own.flat(), ...headers, ...framing(method, body), 'Connection', 'close'],
        insecureHTTPParser: false,
        maxHeaderSize: HEADER_BYTES,
      })
      outgoing.on('error', () => end(brokenOff()))
      let answered = false
      outgoing.on('close', () => {
        if (!answered) end(brokenOff())
      })
      outgoing.on('response', (response) => {
        answered = true
        readBody(response, method, maxBody).then((content) => {
          resolve({ ...headOf(response), body: content })
          socket.destroy()
        }, end)
      })
      outgoing.end(body)
    } catch (error) {
      // Node refuses a header before it is sent.
      end(new RequestFailure(43, error instanceof Error ? error.message : 'the request cannot be sent'))
    }
  })
}

function framing(method: string, body: Uint8Array | undefined): string[] {
  if (body !== undefined) return ['Content-Length', String(body.length)]
  return ['POST', 'PUT', 'PATCH'].includes(method) ? ['Content-Length', '0'] : []
}

async function readBody(
  response: IncomingMessage,
  method: string,
  limit: number,
): Promise<Uint8Array<ArrayBuffer>> {
  if (method !== 'HEAD' && Number(response.headers['content-length'] ?? 0) > limit) throw tooLarge(limit)
  const pieces: Buffer[] = []
  let size = 0
  try {
    for await (const piece of response) {
      size += piece.length
      if (size > limit) throw tooLarge(limit)
      pieces.push(piece)
    }
  } catch (error) {
    throw error instanceof RequestFailure
      ? error
      : new RequestFailure(18, 'transfer closed with outstanding read data remaining')
  }
  return new Uint8Array(Buffer.concat(pieces))
}

function headOf({
  httpVersion,
  statusCode = 0,
  statusMessage = '',
  rawHeaders,
}: IncomingMessage): AnswerHead {
  const headers: Header[] = []
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    headers.push([rawHeaders[at] ?? '', rawHeaders[at + 1] ?? ''])
  return { version: httpVersion, status: statusCode, statusText: statusMessage, headers }
}
