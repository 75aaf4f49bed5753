import type { IncomingMessage } from 'node:http'
import type { RequestLoad } from '../../http/load.ts'
import { readBody, tooLarge } from '../../http/read-body.ts'
import { RpcRefusal } from './refusal.ts'

/**
 * Reads a body of JSON; or takes what something before has read of the request and put there as its `body`, as Express does.
 *
 * @param most - bytes
 * @param load - takes its bytes, and its messages but the first
 * @throws {Refusal} for one that is too large, or no JSON
 */
export async function readJson(request: IncomingMessage, most: number, load: RequestLoad): Promise<unknown> {
  const body = request.readableDidRead
    ? takeBody(request, most, load)
    : parsed(await readBody(request, most, load))
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

function parsed(text: Buffer | string): unknown {
  try {
    return JSON.parse(text.toString())
  } catch {
    // What its text was is the client's to know.
    throw new RpcRefusal(400, 'Parse error: the body is not JSON.', { code: -32_700 })
  }
}
