import { errorMessage } from '../../sandbox/kinds.ts'
import { EXIT } from '../exit-codes.ts'
import { CliError, usageError } from '../failure.ts'

/**
 * Reads a stream to its end. No more of it is held than may be.
 *
 * @param what - the subject of the message where it cannot be read
 * @param most - bytes; any number where it is left out
 * @throws CliError where it cannot be read, or has more
 */
export async function bytesOfStream(
  stream: NodeJS.ReadableStream,
  what: string,
  most = Number.POSITIVE_INFINITY,
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
    throw new CliError(
      `${what} could not be read from standard input: ${errorMessage(cause)}.`,
      EXIT.runtime,
      { cause },
    )
  }
  if (size > most) {
    throw usageError(
      `${what} on standard input has more than ${most} bytes. Bind the file instead: --bind FILE:/in:ro.`,
    )
  }
  return Buffer.concat(chunks)
}
