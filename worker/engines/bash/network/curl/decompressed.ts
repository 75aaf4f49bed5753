import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import type { ClientAnswer } from '../client.ts'
import { RequestFailure, tooLarge } from '../failure.ts'

/**
 * An answer with its body decompressed, as its headers say.
 *
 * @param maxOutputLength - bytes of the result.
 * @throws RequestFailure
 */
export function decompressed(answer: ClientAnswer, maxOutputLength: number): ClientAnswer {
  const encoding = answer.headers.find(([name]) => name.toLowerCase() === 'content-encoding')?.[1]
  const decode = { gzip: gunzipSync, 'x-gzip': gunzipSync, deflate: inflateSync, br: brotliDecompressSync }[
    encoding?.toLowerCase() ?? ''
  ]
  if (decode === undefined || answer.body.length === 0) return answer
  try {
    return { ...answer, body: new Uint8Array(decode(answer.body, { maxOutputLength })) }
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(maxOutputLength)
    throw new RequestFailure(61, 'Unrecognized or bad HTTP Content or Transfer-Encoding')
  }
}
