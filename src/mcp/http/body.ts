import type { IncomingMessage } from 'node:http'
import { Refusal } from './refusal.ts'

/**
 * Reads a body of JSON.
 *
 * @param most - bytes
 * @throws {Refusal} for one that is too large, or no JSON
 */
export async function readJson(request: IncomingMessage, most: number): Promise<unknown> {
  if (Number(request.headers['content-length'] ?? 0) > most) throw tooLarge(most)
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of request.iterator({ destroyOnReturn: false })) {
    if (!Buffer.isBuffer(piece)) throw new TypeError('The request is not read as bytes.')
    size += piece.length
    if (size > most) throw tooLarge(most)
    pieces.push(piece)
  }
  try {
    return JSON.parse(Buffer.concat(pieces).toString('utf8'))
  } catch {
    // What its text was is the client's to know.
    throw new Refusal(400, 'Parse error: the body is not JSON.', { code: -32_700 })
  }
}

function tooLarge(most: number): Refusal {
  return new Refusal(413, `The body is larger than the ${most} bytes that the server takes.`)
}
