import type { IncomingMessage } from 'node:http'
import type { RequestLoad } from './load.ts'
import { Refusal } from './refusal.ts'

/**
 * Reads a body of JSON; or takes what something before has read of the request and put there as its `body`, as Express does.
 *
 * @param most - bytes
 * @param load - takes its bytes, and its messages but the first
 * @throws {Refusal} for one that is too large, or no JSON
 */
export async function readJson(request: IncomingMessage, most: number, load: RequestLoad): Promise<unknown> {
  const body = request.readableDidRead ? takeBody(request, most, load) : await read(request, most, load)
  if (Array.isArray(body) && body.length > 1) load.add({ requests: body.length - 1 })
  return body
}

function takeBody(request: IncomingMessage & { readonly body?: unknown }, most: number, load: RequestLoad) {
  const { body } = request
  if (body === undefined) {
    throw new Error('The body of a request was read before the handler got it, and is not in its `body`.')
  }
  const isText = typeof body === 'string' || Buffer.isBuffer(body)
  const text = isText ? body : JSON.stringify(body)
  const bytes = Buffer.byteLength(text)
  if (bytes > most) throw tooLarge(most)
  load.add({ bytes })
  return isText ? parsed(body) : body
}

async function read(request: IncomingMessage, most: number, load: RequestLoad): Promise<unknown> {
  if (Number(request.headers['content-length'] ?? 0) > most) throw tooLarge(most)
  const pieces: Buffer[] = []
  let size = 0
  let refusal: unknown
  for await (const piece of request.iterator({ destroyOnReturn: false })) {
    if (!Buffer.isBuffer(piece)) throw new TypeError('The request is not read as bytes.')
    size += piece.length
    if (size > most) throw tooLarge(most)
    if (refusal !== undefined) continue
    try {
      load.add({ bytes: piece.length })
      pieces.push(piece)
    } catch (error) {
      // A client that still sends would lose its connection before it reads why: the rest is read, and not kept.
      refusal = error
      pieces.length = 0
      load.end()
    }
  }
  if (refusal !== undefined) throw refusal
  return parsed(Buffer.concat(pieces))
}

function parsed(text: Buffer | string): unknown {
  try {
    return JSON.parse(text.toString())
  } catch {
    // What its text was is the client's to know.
    throw new Refusal(400, 'Parse error: the body is not JSON.', { code: -32_700 })
  }
}

function tooLarge(most: number): Refusal {
  return new Refusal(413, `The body is larger than the ${most} bytes that the server takes.`)
}
