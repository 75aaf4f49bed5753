import { linesOf } from '../text/lines.ts'
import { type Answer, bytes, done, failed, type OwnCommand, readInput, reason } from './command.ts'
import { type Given, isGiven, readOptions } from './options.ts'
import { suffixes } from './split-suffixes.ts'

const OPTIONS = {
  lines: { type: 'string', short: 'l' },
  bytes: { type: 'string', short: 'b' },
  'line-bytes': { type: 'string', short: 'C' },
  number: { type: 'string', short: 'n' },
  'suffix-length': { type: 'string', short: 'a' },
  'additional-suffix': { type: 'string' },
  digits: { type: 'boolean', short: 'd' },
  'numeric-suffixes': { type: 'string' },
  hex: { type: 'boolean', short: 'x' },
  'elide-empty-files': { type: 'boolean', short: 'e' },
} as const

const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  b: 512,
  KB: 1000,
  MB: 1e6,
  GB: 1e9,
  K: 1024,
  M: 1024 ** 2,
  G: 1024 ** 3,
}

/** `10`, `1K` and `5MB`, or undefined. */
function sizeOf(text: string): number | undefined {
  const [, count = '', unit = ''] = /^(\d+)([A-Za-z]*)$/.exec(text) ?? []
  const factor = UNITS[unit.replace(/^k/, 'K').replace(/iB$/, '')]
  const size = Number(count) * (factor ?? 0)
  return count !== '' && size > 0 ? size : undefined
}

/** Lines together up to a size; a longer line is cut. */
function lineBytes(text: string, size: number): string[] {
  const pieces: string[] = []
  let piece = ''
  for (const line of linesOf(text).flatMap((one) => cutEvery(one, size))) {
    if (piece.length + line.length > size) {
      pieces.push(piece)
      piece = ''
    }
    piece += line
  }
  return piece === '' ? pieces : [...pieces, piece]
}

function cutEvery(text: string, size: number): string[] {
  const pieces: string[] = []
  for (let at = 0; at < text.length; at += size) pieces.push(text.slice(at, at + size))
  return pieces
}

function everyLines(text: string, count: number): string[] {
  const lines = linesOf(text)
  const pieces: string[] = []
  for (let at = 0; at < lines.length; at += count) pieces.push(lines.slice(at, at + count).join(''))
  return pieces
}

/** `3`: equal bytes; `l/3`: whole lines, each in the piece that it begins in; `r/3`: lines in turn. */
function inPieces(text: string, kind: string, count: number): string[] {
  const pieces: string[] = Array.from({ length: count }, () => '')
  const size = Math.max(1, Math.floor(text.length / count))
  const pieceAt = (at: number) => Math.min(Math.floor(at / size), count - 1)
  if (kind === '')
    return pieces.map((_, at) => text.slice(at * size, at === count - 1 ? undefined : (at + 1) * size))
  let begin = 0
  for (const [at, line] of linesOf(text).entries()) {
    const piece = kind === 'r' ? at % count : pieceAt(begin)
    pieces[piece] += line
    begin += line.length
  }
  return pieces
}

/** The pieces, or those of one number, or what is wrong. */
function cut(text: string, { values }: Given): { pieces: string[]; only?: string } | Answer {
  const given = (['lines', 'bytes', 'line-bytes', 'number'] as const).filter((name) => values.has(name))
  if (given.length > 1) return failed('split', 'cannot split in more than one way')
  const [way = 'lines'] = given
  const value = values.get(way) ?? '1000'
  if (way === 'number') {
    const [, kind = '', only, count = ''] = /^(?:([lr])\/)?(?:(\d+)\/)?(\d+)$/.exec(value) ?? []
    if (Number(count) < 1 || Number(count) > 100_000 || only === '0' || Number(only ?? 1) > Number(count))
      return failed('split', `invalid number of chunks: '${value}'`)
    const pieces = inPieces(text, kind, Number(count))
    return only === undefined ? { pieces } : { pieces, only: pieces[Number(only) - 1] ?? '' }
  }
  const size = sizeOf(value)
  if (size === undefined) return failed('split', `invalid number of ${way.replace('line-', '')}: '${value}'`)
  if (way === 'lines') return { pieces: everyLines(text, size) }
  return { pieces: way === 'bytes' ? cutEvery(text, size) : lineBytes(text, size) }
}

/** `split [-l lines | -b bytes | -C bytes | -n pieces] [-a n] [-dxe] [file [prefix]]` */
export const split: OwnCommand = {
  name: 'split',
  async run(args, context): Promise<Answer> {
    const words = args.map((arg) => (arg === '--numeric-suffixes' ? '-d' : arg.replace(/^-(\d+)$/, '-l$1')))
    const read = readOptions('split', words, OPTIONS)
    if (!isGiven(read)) return read
    const [path = '-', prefix = 'x', extra] = read.operands
    if (extra !== undefined) return failed('split', `extra operand '${extra}'`)
    let text: string
    try {
      text = await readInput(path, context)
    } catch (error) {
      return failed('split', `cannot open '${path}' for reading: ${reason(error)}`)
    }
    const parts = cut(text, read)
    if (!('pieces' in parts)) return parts
    if (parts.only !== undefined) return bytes(parts.only)
    const pieces = parts.pieces.filter((piece) => piece !== '' || !read.flags.has('elide-empty-files'))
    const names = suffixes(read, pieces.length)
    for (const piece of pieces) {
      const suffix = names.next().value
      if (suffix === undefined) return failed('split', 'output file suffixes exhausted')
      const name = `${prefix}${suffix}${read.values.get('additional-suffix') ?? ''}`
      try {
        await context.fs.writeFile(context.fs.resolvePath(context.cwd, name), Buffer.from(piece, 'latin1'))
      } catch (error) {
        return failed('split', `${name}: ${reason(error)}`)
      }
    }
    return done()
  },
}
