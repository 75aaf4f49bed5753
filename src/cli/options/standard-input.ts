import { errorMessage } from '../../sandbox/kinds.ts'
import { EXIT } from '../exit-codes.ts'
import { CliError, usageError } from '../failure.ts'

/** How a stream is read. */
export interface StreamBounds {
  /**
   * Bytes.
   *
   * @default Infinity
   */
  readonly most?: number
  /**
   * What the stream is.
   *
   * @default 'standard input'
   */
  readonly where?: string
  /** What to do instead where there is more; a whole sentence. */
  readonly instead?: string
}

/**
 * Reads a stream to its end. No more of it is held than may be.
 *
 * @param what - the subject of the message where it cannot be read
 * @throws CliError where it cannot be read, or has more
 */
export async function bytesOfStream(
  stream: NodeJS.ReadableStream,
  what: string,
  { most = Number.POSITIVE_INFINITY, where = 'standard input', instead }: StreamBounds = {},
): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of stream) {
      const bytes = Buffer.from(chunk)
      size += bytes.length
      if (size > most) break
      chunks.push(bytes)
    }
  } catch (cause) {
    throw new CliError(`${what} could not be read from ${where}: ${errorMessage(cause)}.`, EXIT.runtime, {
      cause,
    })
  }
  if (size > most) {
    const rest = instead === undefined ? '' : ` ${instead}`
    throw usageError(`${what} on ${where} has more than ${most} bytes.${rest}`)
  }
  return Buffer.concat(chunks)
}
