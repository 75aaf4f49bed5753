import { inTermsOfOptions } from './options/sandbox-config.ts'
import type { SandboxOptions } from './options/sandbox-options.ts'
import type { Outputs } from './output.ts'
import { ReplShell } from './repl/shell.ts'
import { makeSandbox, openIn } from './sandbox.ts'

/** The options of `repl`, as commander hands them over. */
export interface ReplOptions extends SandboxOptions {
  readonly cwd?: string
  readonly history: boolean
}

/** Runs command after command in the session of one sandbox; gives the exit code. */
export async function repl(options: ReplOptions, outputs: Outputs): Promise<number> {
  const sandbox = await open(options)
  const onTerminal = process.stdin.isTTY === true && process.stdout.isTTY === true
  const shell = new ReplShell(sandbox, outputs, onTerminal)
  if (onTerminal) {
    const { atTerminal } = await import('./repl/terminal.ts')
    return atTerminal(shell, sandbox, outputs, options.history)
  }
  const { fromInput } = await import('./repl/piped.ts')
  return fromInput(shell)
}

async function open(options: ReplOptions) {
  try {
    const sandbox = await makeSandbox(options, 'bash')
    await openIn(sandbox, options.cwd)
    return sandbox
  } catch (error) {
    throw inTermsOfOptions(error, options)
  }
}
