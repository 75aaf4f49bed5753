import type { HostedSandbox } from '../hosted-sandbox/hosted-sandbox.ts'
import { foreignText } from '../sandbox/message-text.ts'
import { describeFailure, PROGRAM, usageError } from './failure.ts'
import { inTermsOfOptions } from './options/sandbox-config.ts'
import type { SandboxOptions } from './options/sandbox-options.ts'
import type { Outputs } from './output.ts'
import type { Stop } from './repl/converse.ts'
import { ReplShell } from './repl/shell.ts'
import { changeDirectory, makeSandbox, openIn } from './sandbox.ts'
import type { KeptSession } from './sessions/kept-session.ts'
import type { OpenedSession } from './sessions/open-session.ts'
import { Stopped, stopOnSignal } from './signals.ts'

/** The options of `repl`, as commander hands them over. */
export interface ReplOptions extends SandboxOptions {
  readonly cwd?: string
  readonly history: boolean
  /** The name of a session that is kept. */
  readonly session?: string
  /** Where it is kept. */
  readonly sessions?: string
}

/** Runs command after command in the session of one sandbox; gives the exit code. */
export async function repl(options: ReplOptions, outputs: Outputs): Promise<number> {
  const { session, sessions } = options
  if (session !== undefined) return keep({ ...options, session }, outputs)
  if (sessions !== undefined) throw usageError('--sessions: say which session with --session NAME.')
  return converseIn(await open(options), options, outputs, {})
}

/** The same in a session that is kept: it is stored whatever ends the program in order. */
async function keep(options: ReplOptions & { readonly session: string }, outputs: Outputs): Promise<number> {
  const stop = stopOnSignal()
  const { kept, stored } = await openKept(options, outputs)
  let failure: unknown
  let exitCode = 0
  try {
    if (stored !== undefined && isTerminal()) {
      const name = foreignText(options.session)
      await outputs.stdout.write(`The session ${name} of ${stored.storedAt.toLocaleString()} goes on.\n`)
    }
    exitCode = await converseIn(kept.sandbox, options, outputs, { stop, kept })
  } catch (error) {
    failure = error
  }
  try {
    await kept.end({ isHurried: stop.aborted })
  } catch (error) {
    if (failure !== undefined && !(failure instanceof Stopped))
      await outputs.stderr.write(describeFailure(failure))
    throw error
  }
  if (failure instanceof Stopped) return failure.exitCode
  if (failure !== undefined) throw failure
  return exitCode
}

async function converseIn(
  sandbox: HostedSandbox,
  { history }: ReplOptions,
  outputs: Outputs,
  { stop, kept }: { readonly stop?: Stop; readonly kept?: KeptSession },
): Promise<number> {
  const onTerminal = isTerminal()
  const shell = new ReplShell(sandbox, outputs, { onTerminal, keeper: kept })
  stop?.addEventListener('abort', () => shell.interrupt())
  if (onTerminal) {
    const { atTerminal } = await import('./repl/terminal.ts')
    return atTerminal(shell, sandbox, outputs, history, stop)
  }
  const { fromInput } = await import('./repl/piped.ts')
  return fromInput(shell, stop)
}

function isTerminal(): boolean {
  return process.stdin.isTTY === true && process.stdout.isTTY === true
}

async function open(options: ReplOptions): Promise<HostedSandbox> {
  try {
    const sandbox = await makeSandbox(options, 'bash')
    await openIn(sandbox, options.cwd)
    return sandbox
  } catch (error) {
    throw inTermsOfOptions(error, options)
  }
}

async function openKept(
  options: ReplOptions & { readonly session: string },
  { stderr }: Outputs,
): Promise<OpenedSession> {
  try {
    const { openSession } = await import('./sessions/open-session.ts')
    // A warning that cannot be written is no reason to end.
    const warn = (line: string) => void stderr.write(`${PROGRAM}: ${line}\n`).catch(() => undefined)
    const opened = await openSession(options, warn)
    await changeDirectory(opened.kept.sandbox, options.cwd)
    return opened
  } catch (error) {
    throw inTermsOfOptions(error, options)
  }
}
