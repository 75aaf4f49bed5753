import type { CommandOutput, TruncatedOutput } from '../../../../src/contract/shell-api.ts'
import { engineMaxOutput } from './engine-limits.ts'

/** No UTF-16 unit takes more bytes in UTF-8. */
const MOST_BYTES_PER_UNIT = 3
const ENGINE_MESSAGE = /^strands-shell: output size limit exceeded\n/gm

/**
 * Cuts stdout and stderr at `maxOutput` bytes of UTF-8 each, between characters, and says so at the end of
 * stderr, which may pass the cap by these lines. A stdout as large as the engine's own cap was cut there already.
 */
export function capOutput(output: CommandOutput, maxOutput: number): CommandOutput {
  const { stdout, stderr } = output
  if (fits(stdout, maxOutput) && fits(stderr, maxOutput)) return output
  const size = Buffer.byteLength(stdout)
  const isCutByEngine = size >= engineMaxOutput(maxOutput)
  // The engine repeats its message for every command that comes after.
  const said = isCutByEngine ? stderr.replace(ENGINE_MESSAGE, '') : stderr
  const out = cut('stdout', stdout, size, maxOutput, isCutByEngine ? 'more than ' : '')
  const err = cut('stderr', said, Buffer.byteLength(said), maxOutput)
  if (out.missing === 0 && err.missing === 0) return output
  const separator = err.text === '' || err.text.endsWith('\n') ? '' : '\n'
  const truncated: TruncatedOutput = {
    ...(out.missing === 0 ? {} : { stdout: out.missing }),
    ...(err.missing === 0 ? {} : { stderr: err.missing }),
  }
  return {
    ...output,
    stdout: out.text,
    stderr: `${err.text}${separator}${out.note}${err.note}`,
    truncated,
  }
}

function fits(text: string, maxOutput: number): boolean {
  return text.length * MOST_BYTES_PER_UNIT <= maxOutput
}

interface CutText {
  readonly text: string
  /** Bytes. */
  readonly missing: number
  readonly note: string
}

function cut(
  stream: 'stdout' | 'stderr',
  text: string,
  size: number,
  maxOutput: number,
  estimate = '',
): CutText {
  if (size <= maxOutput) return { text, missing: 0, note: '' }
  const kept = prefix(text, maxOutput)
  const bytes = Buffer.byteLength(kept)
  const sizes = `kept ${bytes} of ${estimate}${size} bytes`
  const note = `strands-shell: ${stream} truncated: ${sizes} (limits.maxOutput)\n`
  return { text: kept, missing: size - bytes, note }
}

/** The longest prefix of `text` that takes at most `bytes` bytes and splits no character. */
function prefix(text: string, bytes: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(bytes))
  return text.slice(0, read)
}
