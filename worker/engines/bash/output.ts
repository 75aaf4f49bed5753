import type { CommandOutput } from '../../../src/contract/shell-api.ts'
import type { ExecResult } from './just-bash.ts'
import type { Bounds } from './limits.ts'
import type { StopReason } from './session/stop.ts'

/** What just-bash says of a program that the sandbox does not have, and that it has elsewhere. */
const ELSEWHERE = /: command not available in browser environments\. Exclude .*$/gm

/** What a command left behind, each stream within the bound of its output. */
export function commandOutput(
  { stdout, stderr, exitCode }: ExecResult,
  stopped: StopReason | undefined,
  timeout: number,
  { maxOutput }: Bounds,
): CommandOutput {
  const heard = stopped === undefined ? stderr : stderr.replace(/bash: execution aborted\n/g, '')
  const out = cut('stdout', stdout, maxOutput)
  const err = cut('stderr', heard.replace(ELSEWHERE, ': command not found'), maxOutput)
  const notes = [
    ...(stopped === 'timeout' ? [`bash: stopped after ${timeout} s`] : []),
    ...(stopped === 'interrupt' ? ['bash: stopped'] : []),
    ...out.notes,
    ...err.notes,
  ]
  const code = stopped === undefined ? exitCode : stopped === 'timeout' ? 124 : 130
  const separator = notes.length === 0 || err.kept === '' || err.kept.endsWith('\n') ? '' : '\n'
  return {
    exitCode: code,
    stdout: out.kept,
    stderr: [err.kept, separator, ...notes.map((note) => `${note}\n`)].join(''),
  }
}

/** At most so many bytes of UTF-8, in whole characters, and what to say where that is not all. */
function cut(
  stream: 'stdout' | 'stderr',
  text: string,
  limit: number,
): { readonly kept: string; readonly notes: readonly string[] } {
  if (text.length * 3 <= limit) return { kept: text, notes: [] }
  const size = Buffer.byteLength(text)
  if (size <= limit) return { kept: text, notes: [] }
  const { read, written } = new TextEncoder().encodeInto(text, new Uint8Array(limit))
  return {
    kept: text.slice(0, read),
    notes: [`bash: ${stream} truncated: kept ${written} of ${size} bytes (limits.maxOutput)`],
  }
}
