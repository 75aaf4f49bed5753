import { inspect } from 'node:util'
import { SandboxConfigError, SandboxError, SessionLoss, WorkerLostError } from '../sandbox/errors.ts'
import { errorMessage } from '../sandbox/kinds.ts'
import { foreignText } from '../sandbox/message-text.ts'
import { reportable } from '../sandbox/report-hint.ts'
import { EXIT } from './exit-codes.ts'

/** The name this program goes by in its messages. */
export const PROGRAM = 'strands-shell-runtime'

/** A failure of the command line's own, with what it exits with. */
export class CliError extends Error {
  override readonly name = 'CliError'
  readonly exitCode: number

  constructor(message: string, exitCode: number, options?: ErrorOptions) {
    super(message, options)
    this.exitCode = exitCode
  }
}

/** A failure for a command line that is not valid. */
export function usageError(message: string, options?: ErrorOptions): CliError {
  return new CliError(message, EXIT.usage, options)
}

/** The exit code a failure stands for. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof CliError) return error.exitCode
  if (error instanceof SandboxConfigError && error.field !== 'workerUrl') return EXIT.usage
  if (error instanceof WorkerLostError && isIgnoredDeadline(error.cause)) return EXIT.timeout
  return EXIT.runtime
}

/**
 * What a failure says on standard error: one line for people. With the environment variable `DEBUG`, the
 * stack and the causes follow it.
 */
export function describeFailure(error: unknown, debug = isSet(process.env['DEBUG'])): string {
  const line = `${PROGRAM}: ${failureText(error)}\n`
  return debug ? `${line}${inspect(error)}\n` : line
}

/** What a failure says, in one line: words of the command line in it do nothing to a terminal. */
export function failureText(error: unknown): string {
  return foreignText(oneLine(messageOf(error)))
}

/** Joins the lines of a message: a first one, and items, which are separated by semicolons. */
function oneLine(message: string): string {
  const [first = '', ...items] = message
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  return items.length === 0 ? first : `${first} ${items.map(toItem).join('; ')}.`
}

function toItem(line: string): string {
  return line.replace(/^- /, '').replace(/\.$/, '')
}

function messageOf(error: unknown): string {
  if (error instanceof CliError || error instanceof SandboxError) return error.message
  const text = `unexpected failure: ${errorMessage(error)} (DEBUG=1 shows the stack).`
  return reportable(text)
}

function isIgnoredDeadline(cause: unknown): boolean {
  return cause instanceof SessionLoss && cause.code === 'DEADLINE_IGNORED'
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== ''
}
