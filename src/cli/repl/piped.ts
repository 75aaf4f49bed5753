import { errorMessage } from '../../sandbox/kinds.ts'
import { EXIT } from '../exit-codes.ts'
import { CliError } from '../failure.ts'
import { linesOf } from '../lines.ts'
import { converse, type Stop, type Talk } from './converse.ts'
import type { ReplShell } from './shell.ts'

/** Runs the commands of standard input, to its end; gives the exit code. @throws what the session was lost by */
export function fromInput(shell: ReplShell, stop?: Stop): Promise<number> {
  const talk: Talk = {
    lines: texts(process.stdin),
    prompt: async () => undefined,
    failed: async (error) => {
      throw error
    },
  }
  return converse(shell, talk, stop)
}

async function* texts(stream: NodeJS.ReadableStream): AsyncGenerator<string> {
  try {
    for await (const line of linesOf(stream)) yield line.toString('utf8').replace(/\r$/, '')
  } catch (cause) {
    const reason = errorMessage(cause)
    throw new CliError(`commands could not be read from standard input: ${reason}.`, EXIT.runtime, { cause })
  }
}
