import { types } from 'node:util'
import { SandboxConfigError, SandboxLimitError } from './errors.ts'
import { kindOf } from './show-value.ts'

/** Bytes of standard input that one command may be given. */
export const MAX_STDIN = 64 * 1024 * 1024

/**
 * The bytes of a command's standard input, in a buffer of their own: the caller's stays as it is.
 *
 * @throws SandboxConfigError with the field `stdin` for what is neither text nor bytes
 * @throws SandboxLimitError where it is larger than 64 MiB
 */
export function requireStdin(stdin: unknown): Uint8Array<ArrayBuffer> {
  if (typeof stdin === 'string') {
    if (!stdin.isWellFormed()) {
      throw refuse('holds half of a surrogate pair, which no encoding can carry. Pass text or bytes.')
    }
    requireSize(Buffer.byteLength(stdin))
    return new Uint8Array(new TextEncoder().encode(stdin))
  }
  if (!types.isUint8Array(stdin)) {
    throw refuse(`must be a string or a Uint8Array, but is ${kindOf(stdin)}. Leave it out for none.`)
  }
  requireSize(stdin.byteLength)
  try {
    return new Uint8Array(stdin)
  } catch (cause) {
    throw refuse('was transferred to somebody else and holds nothing any more. Pass a copy.', cause)
  }
}

function requireSize(size: number): void {
  if (size <= MAX_STDIN) return
  throw new SandboxLimitError(
    `stdin has ${size} bytes, but may have at most ${MAX_STDIN}. Write it to a file of the sandbox, and read that.`,
    { limit: 'stdin', value: MAX_STDIN },
  )
}

function refuse(problem: string, cause?: unknown): SandboxConfigError {
  return new SandboxConfigError(
    `stdin ${problem}`,
    cause === undefined ? { field: 'stdin' } : { field: 'stdin', cause },
  )
}
