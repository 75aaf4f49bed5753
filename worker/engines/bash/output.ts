import type { CommandOutput, TruncatedOutput } from '../../../src/contract/shell-api.ts'
import { cut } from './cut.ts'
import type { ExecResult } from './just-bash.ts'
import type { Bounds } from './limits.ts'
import type { StopReason } from './session/stop.ts'
import { readable } from './text/bytes.ts'

/** How a command ended. */
export interface CommandEnd {
  readonly stopped: StopReason | undefined
  /** Seconds that it could take. */
  readonly timeout: number
  readonly bounds: Bounds
  /** How long it ran. */
  readonly durationMs: number
}

/** What is kept of one stream, and the bytes that it had. */
interface KeptOutput {
  readonly text: string
  readonly size: number
}

/** Output of which each stream is within the bound of a command's output. */
export interface BoundedOutput {
  readonly stdout: KeptOutput
  readonly stderr: KeptOutput
}

/** What just-bash says of a program that the sandbox does not have, and that it has elsewhere. */
const ELSEWHERE = /: command not available in browser environments\. Exclude .*$/gm

/** What `set -x` shows of the commands that rewritten scripts call. */
const INNER = /^\++ \/usr\/bin\/__/m
const TRACED = /^\++ (?:\/usr\/bin\/__(?!eval\b)\w+(?: .*)?|:)\n/gm
const EVALUATED = /^(\++) \/usr\/bin\/__eval\b/gm

/** Standard error without what just-bash alone says. */
export function cleaned(stderr: string, stopped: StopReason | undefined): string {
  const told = stderr.replace(ELSEWHERE, ': command not found')
  const found = INNER.test(told) ? told.replaceAll(TRACED, '').replaceAll(EVALUATED, '$1 eval') : told
  return stopped === undefined ? found : found.replace(/(?:bash: )?execution aborted\n/g, '')
}

/** The output of a command that has ended, within its bound. Bytes that are no UTF-8 become U+FFFD. */
export function bounded(
  { stdout, stderr }: Pick<ExecResult, 'stdout' | 'stderr'>,
  { stopped, bounds: { maxOutput } }: Pick<CommandEnd, 'stopped' | 'bounds'>,
): BoundedOutput {
  return {
    stdout: kept(readable(stdout), maxOutput),
    stderr: kept(readable(cleaned(stderr, stopped)), maxOutput),
  }
}

/** What a command left behind. */
export function commandOutput(
  exitCode: number,
  { stdout, stderr }: BoundedOutput,
  { stopped, timeout, durationMs }: CommandEnd,
): CommandOutput {
  const notes = [
    ...(stopped === 'timeout' ? [`bash: stopped after ${timeout} s`] : []),
    ...(stopped === 'interrupt' ? ['bash: stopped'] : []),
    ...cutNote('stdout', stdout),
    ...cutNote('stderr', stderr),
  ]
  const code = stopped === undefined ? exitCode : stopped === 'timeout' ? 124 : 130
  const separator = notes.length === 0 || stderr.text === '' || stderr.text.endsWith('\n') ? '' : '\n'
  return {
    exitCode: code,
    stdout: stdout.text,
    stderr: [stderr.text, separator, ...notes.map((note) => `${note}\n`)].join(''),
    timedOut: stopped === 'timeout',
    truncated: truncated({ stdout, stderr }),
    durationMs,
  }
}

/** The bytes that were left out of each stream. */
function truncated({ stdout, stderr }: BoundedOutput): false | TruncatedOutput {
  const [out, err] = [missing(stdout), missing(stderr)]
  if (out === 0 && err === 0) return false
  return { ...(out === 0 ? {} : { stdout: out }), ...(err === 0 ? {} : { stderr: err }) }
}

const missing = ({ text, size }: KeptOutput) => size - Buffer.byteLength(text)

function kept(text: string, limit: number): KeptOutput {
  return { text: cut(text, limit), size: Buffer.byteLength(text) }
}

function cutNote(stream: 'stdout' | 'stderr', { text, size }: KeptOutput): string[] {
  const bytes = Buffer.byteLength(text)
  return bytes === size
    ? []
    : [`bash: ${stream} truncated: kept ${bytes} of ${size} bytes (limits.maxOutput)`]
}
