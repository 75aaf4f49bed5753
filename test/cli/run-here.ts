import { Readable } from 'node:stream'
import { describeFailure, exitCodeOf } from '../../src/cli/failure.ts'
import { runProgram } from '../../src/cli/program.ts'
import { captured } from './captured.ts'
import type { CliEnd } from './run-cli.ts'

/**
 * Runs the command line in this process: much faster than {@link runCli}, and without signals. `stdin` takes the place of
 * the standard input, for commands that run one at a time.
 */
export async function runHere(args: readonly string[], stdin?: string | Uint8Array): Promise<CliEnd> {
  const outputs = captured()
  const signal = null
  const restore = stdin === undefined ? () => undefined : replaceInput(stdin)
  try {
    return { code: await runProgram(args, outputs), signal, ...outputs.text }
  } catch (error) {
    const { stdout, stderr } = outputs.text
    return { code: exitCodeOf(error), signal, stdout, stderr: stderr + describeFailure(error) }
  } finally {
    restore()
  }
}

/** Gives how to undo it. */
function replaceInput(stdin: string | Uint8Array): () => void {
  const own = Object.getOwnPropertyDescriptor(process, 'stdin') ?? {}
  Object.defineProperty(process, 'stdin', { ...own, get: () => input })
  const input = Readable.from([Buffer.from(stdin)])
  return () => {
    Object.defineProperty(process, 'stdin', own)
  }
}
