import type { CommandRequest } from '../../../src/contract/shell-api.ts'
import { FarError } from '../../service/far-error.ts'
import { type Bounds, executionLimits } from './limits.ts'

/**
 * The standard input of a request as just-bash takes it: bytes as latin1.
 *
 * @throws FarError where just-bash could not hold it as one string
 */
export function stdinOf({ stdin }: Pick<CommandRequest, 'stdin'>, bounds: Bounds): string | undefined {
  if (stdin === undefined) return undefined
  const { buffer, byteOffset, byteLength } = stdin
  const { maxStringLength = Number.POSITIVE_INFINITY } = executionLimits(bounds)
  if (byteLength <= maxStringLength) return Buffer.from(buffer, byteOffset, byteLength).toString('latin1')
  throw new FarError({
    code: 'LIMIT_EXCEEDED',
    message: `stdin has ${byteLength} bytes, but may have at most ${maxStringLength}, a sixteenth of limits.maxMemory. Raise that, or write a file and read it.`,
    limit: { name: 'limits.maxMemory', value: bounds.maxMemory },
  })
}
