import type { CommandOutput } from '../../../../src/contract/shell-api.ts'
import { engineMaxOutput } from './engine-limits.ts'

/** No UTF-16 unit takes more bytes in UTF-8. */
const MOST_BYTES_PER_UNIT = 3
const ENGINE_MESSAGE = /^strands-shell: output size limit exceeded\n/gm

/**
 * Cuts stdout and stderr at `maxOutput` bytes of UTF-8 each, between characters, and says so at the end of
 * stderr, which may pass the cap by these lines. A stdout as large as the engine's own cap was cut there already.
 */
export function capOutput(output: CommandOutput, maxOutput: number): CommandOutput {
  const { exitCode, stdout, stderr } = output
  if (fits(stdout, maxOutput) && fits(stderr, maxOutput)) return output
  const size = Buffer.byteLength(stdout)
  const isCutByEngine = size >= engineMaxOutput(maxOutput)
  // The engine repeats its message for every command that comes after.
  const said = isCutByEngine ? stderr.replace(ENGINE_MESSAGE, '') : stderr
  const notes: string[] = []
  const kept = {
    stdout: cut('stdout', stdout, size, isCutByEngine ? 'more than ' : '', maxOutput, notes),
    stderr: cut('stderr', said, Buffer.byteLength(said), '', maxOutput, notes),
  }
  if (notes.length === 0) return output
  const separator = kept.stderr === '' || kept.stderr.endsWith('\n') ? '' : '\n'
  return { exitCode, stdout: kept.stdout, stderr: `${kept.stderr}${separator}${notes.join('')}` }
}

function fits(text: string, maxOutput: number): boolean {
  return text.length * MOST_BYTES_PER_UNIT <= maxOutput
}

function cut(
  stream: 'stdout' | 'stderr',
  text: string,
  size: number,
  estimate: string,
  maxOutput: number,
  notes: string[],
): string {
  if (size <= maxOutput) return text
  const kept = prefix(text, maxOutput)
  const sizes = `kept ${Buffer.byteLength(kept)} of ${estimate}${size} bytes`
  notes.push(`strands-shell: ${stream} truncated: ${sizes} (limits.maxOutput)\n`)
  return kept
}

/** The longest prefix of `text` that takes at most `bytes` bytes and splits no character. */
function prefix(text: string, bytes: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(bytes))
  return text.slice(0, read)
}
