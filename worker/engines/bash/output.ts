import type { BoundedOutput, KeptOutput, StopReason } from '../../service/command-output.ts'
import { cut } from '../../service/cut.ts'
import type { ExecResult } from './just-bash.ts'
import type { Bounds } from './limits.ts'
import { readable } from './text/bytes.ts'

/** What just-bash says of a program that the sandbox does not have, and that it has elsewhere. */
const ELSEWHERE = /: command not available in browser environments\. Exclude .*$/gm

/** What `set -x` shows of the commands that rewritten scripts call. */
const INNER = /^\++ \/usr\/bin\/__/m
const TRACED = /^\++ (?:\/usr\/bin\/__(?!eval\b)\w+(?: .*)?|declare -F|:)\n/gm
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
  { stopped, bounds: { maxOutput } }: { readonly stopped: StopReason | undefined; readonly bounds: Bounds },
): BoundedOutput {
  return {
    stdout: kept(readable(stdout), maxOutput),
    stderr: kept(readable(cleaned(stderr, stopped)), maxOutput),
  }
}

function kept(text: string, limit: number): KeptOutput {
  return { text: cut(text, limit), size: Buffer.byteLength(text) }
}
