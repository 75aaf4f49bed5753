import { looksBinary } from './binary.ts'
import { clip } from './clip.ts'
import { count } from './numbers.ts'
import type { Spill } from './spill.ts'

/** Of what may be kept, the part that standard error has at least, if it needs it. */
const ERROR_SHARE = 1 / 4

/** What a command printed. */
export interface Streams {
  readonly stdout: string
  readonly stderr: string
}

/** How it is shaped. */
export interface ShapeOptions {
  /** Most characters (UTF-16 units) that are kept of both streams together; notes come on top. */
  readonly limit: number
  /** Undefined: what is left out is lost. */
  readonly spill: Spill | undefined
  readonly signal: AbortSignal | undefined
}

/** What a command printed, in a length that a model can take. */
export interface ShapedStreams extends Streams {
  readonly truncated: boolean
  /** Files that hold what was left out. */
  readonly files: readonly string[]
}

/** Shortens both streams to `limit` characters together: standard error keeps at least a quarter of them. */
export async function shapeStreams(streams: Streams, options: ShapeOptions): Promise<ShapedStreams> {
  const { stdout, stderr } = streams
  const { limit } = options
  const errorLimit = Math.max(limit - stdout.length, Math.floor(limit * ERROR_SHARE))
  const outLimit = Math.max(limit - stderr.length, limit - errorLimit)
  const out = await shape('stdout', stdout, outLimit, options)
  const err = await shape('stderr', stderr, errorLimit, options)
  return {
    stdout: out.text,
    stderr: err.text,
    truncated: out.truncated || err.truncated,
    files: [...out.files, ...err.files],
  }
}

interface Shaped {
  readonly text: string
  readonly truncated: boolean
  readonly files: readonly string[]
}

async function shape(
  name: 'stdout' | 'stderr',
  text: string,
  limit: number,
  options: ShapeOptions,
): Promise<Shaped> {
  if (looksBinary(text)) {
    const note = `[${name} is not text: ${count(text.length, 'character')} left out. Redirect it to a file, or print it as hex.]`
    return { text: note, truncated: true, files: [] }
  }
  const clipped = clip(text, limit)
  if (clipped.isWhole) return { text, truncated: false, files: [] }
  const { head, tail, leftOut } = clipped
  const spilled = await options.spill?.write(name, text, options.signal)
  const where =
    spilled === undefined
      ? 'It was not kept: run the command again with its output in a file, or print less.'
      : spilled.isWritten
        ? `All of ${name} is in ${spilled.path}: search it, or read parts of it.`
        : `It could not be kept in a file (${spilled.reason}): run the command again and print less.`
  const note = `[… ${count(leftOut.characters, 'character')} in ${count(leftOut.lines, 'line')} left out here. ${where}]`
  return {
    text: `${head}${head.endsWith('\n') ? '' : '\n'}${note}\n${tail}`,
    truncated: true,
    files: spilled?.isWritten ? [spilled.path] : [],
  }
}
