import type { IncomingMessage } from 'node:http'
import type { RequestLoad } from './load.ts'
import { Refusal } from './refusal.ts'

/**
 * Reads a body.
 *
 * @param most - bytes
 * @param load - takes its bytes
 * @throws {Refusal} for one that is too large
 */
export function readBody(request: IncomingMessage, most: number, load: RequestLoad): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    let size = 0
    let refusal: unknown
    const end = (settle: () => void) => {
      request.off('data', take).off('end', whole).off('error', reject).off('close', cut)
      settle()
    }
    const take = (piece: Buffer) => {
      size += piece.length
      if (size > most) {
        request.pause()
        end(() => reject(tooLarge(most)))
      } else if (refusal === undefined) {
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
    }
    const whole = () =>
      end(() => {
        if (refusal !== undefined) reject(refusal)
        else resolve(pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces))
      })
    const cut = () => end(() => reject(new Error('The request was cut off.')))
    if (Number(request.headers['content-length'] ?? 0) > most) reject(tooLarge(most))
    else if (request.destroyed) cut()
    else request.on('data', take).once('end', whole).once('error', reject).once('close', cut)
  })
}

/** A body is larger than the server takes. */
export function tooLarge(most: number): Refusal {
  return new Refusal(413, `The body is larger than the ${most} bytes that the server takes.`)
}
