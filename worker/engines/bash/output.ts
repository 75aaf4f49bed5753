import type { CommandOutput } from '../../../src/contract/shell-api.ts'
import type { ExecResult } from './just-bash.ts'
import type { Bounds } from './limits.ts'
import type { StopReason } from './session/stop.ts'

/** What a command left behind, within the bound of its output. */
export function commandOutput(
  { stdout, stderr, exitCode }: ExecResult,
  stopped: StopReason | undefined,
  timeout: number,
  { maxOutput }: Bounds,
): CommandOutput {
  const out = cut(stdout, maxOutput)
  const told = stopped === undefined ? stderr : stderr.replace(/(?:bash: )?execution aborted\n/g, '')
  const err = cut(told, Math.max(0, maxOutput - out.length))
  const notes = [
    ...(stopped === 'timeout' ? [`bash: stopped after ${timeout} s`] : []),
    ...(stopped === 'interrupt' ? ['bash: stopped'] : []),
    ...(out.length < stdout.length || err.length < told.length
      ? [`bash: output is longer than ${maxOutput} bytes; the rest was left out`]
      : []),
  ]
  const code = stopped === undefined ? exitCode : stopped === 'timeout' ? 124 : 130
  return { exitCode: code, stdout: out, stderr: [err, ...notes.map((note) => `${note}\n`)].join('') }
}

/** At most so many bytes of UTF-8, in whole characters. */
function cut(text: string, limit: number): string {
  if (text.length * 3 <= limit) return text
  const buffer = Buffer.from(text)
  if (buffer.length <= limit) return text
  let end = limit
  while (end > 0 && ((buffer[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return buffer.toString('utf8', 0, end)
}
