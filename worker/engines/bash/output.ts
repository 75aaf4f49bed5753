import type { CommandOutput } from '../../../src/contract/shell-api.ts'
import { cut } from './cut.ts'
import type { ExecResult } from './just-bash.ts'
import type { Bounds } from './limits.ts'
import type { StopReason } from './session/stop.ts'

/** How a command ended. */
export interface CommandEnd {
  readonly stopped: StopReason | undefined
  /** Seconds that it could take. */
  readonly timeout: number
  readonly bounds: Bounds
}

/** Output within the bound of a command's output. */
interface BoundedOutput {
  readonly stdout: string
  readonly stderr: string
  readonly isCut: boolean
}

/** What just-bash itself says of a stopped command. */
export function withoutAbort(stderr: string, stopped: StopReason | undefined): string {
  return stopped === undefined ? stderr : stderr.replace(/bash: execution aborted\n/g, '')
}

/** The output of a command that has ended, within its bound. */
export function bounded(
  { stdout, stderr }: Pick<ExecResult, 'stdout' | 'stderr'>,
  { stopped, bounds: { maxOutput } }: CommandEnd,
): BoundedOutput {
  const out = cut(stdout, maxOutput)
  const told = withoutAbort(stderr, stopped)
  const err = cut(told, Math.max(0, maxOutput - Buffer.byteLength(out)))
  return { stdout: out, stderr: err, isCut: out.length < stdout.length || err.length < told.length }
}

/** What a command left behind. */
export function commandOutput(
  exitCode: number,
  { stdout, stderr, isCut }: BoundedOutput,
  { stopped, timeout, bounds: { maxOutput } }: CommandEnd,
): CommandOutput {
  const notes = [
    ...(stopped === 'timeout' ? [`bash: stopped after ${timeout} s`] : []),
    ...(stopped === 'interrupt' ? ['bash: stopped'] : []),
    ...(isCut ? [`bash: output is longer than ${maxOutput} bytes; the rest was left out`] : []),
  ]
  const code = stopped === undefined ? exitCode : stopped === 'timeout' ? 124 : 130
  return { exitCode: code, stdout, stderr: [stderr, ...notes.map((note) => `${note}\n`)].join('') }
}
