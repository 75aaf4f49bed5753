import type { CommandOutput, TruncatedOutput } from '../../src/contract/shell-api.ts'

/** Why a command was stopped. */
export type StopReason = 'interrupt' | 'timeout'

/** How a command ended. */
export interface CommandEnd {
  /** The name of the shell, for what it says. Default: `bash`. */
  readonly shell?: string
  readonly stopped: StopReason | undefined
  /** Seconds that it could take. */
  readonly timeout: number
  /** How long it ran. */
  readonly durationMs: number
}

/** What is kept of one stream, and the bytes that it had. */
export interface KeptOutput {
  readonly text: string
  readonly size: number
}

/** Output of which each stream is within the bound of a command's output. */
export interface BoundedOutput {
  readonly stdout: KeptOutput
  readonly stderr: KeptOutput
}

/** What a command left behind. @param own - lines that its shell adds to standard error. */
export function commandOutput(
  exitCode: number,
  { stdout, stderr }: BoundedOutput,
  { shell = 'bash', stopped, timeout, durationMs }: CommandEnd,
  own: readonly string[] = [],
): CommandOutput {
  const notes = [
    ...own,
    ...(stopped === 'timeout' ? [`${shell}: stopped after ${timeout} s`] : []),
    ...(stopped === 'interrupt' ? [`${shell}: stopped`] : []),
    ...cutNote(shell, 'stdout', stdout),
    ...cutNote(shell, 'stderr', stderr),
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

function cutNote(shell: string, stream: 'stdout' | 'stderr', { text, size }: KeptOutput): string[] {
  const bytes = Buffer.byteLength(text)
  return bytes === size
    ? []
    : [`${shell}: ${stream} truncated: kept ${bytes} of ${size} bytes (limits.maxOutput)`]
}
