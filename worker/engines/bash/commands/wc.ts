import { done, failed, type OwnCommand, readInput, reason } from './command.ts'

const LONG: Readonly<Record<string, string>> = {
  '--lines': 'l',
  '--words': 'w',
  '--bytes': 'c',
  '--chars': 'm',
  '--max-line-length': 'L',
}

interface Counts {
  readonly l: number
  readonly w: number
  readonly m: number
  readonly c: number
  readonly L: number
}

/** The order in which counts are printed. */
const COLUMNS = ['l', 'w', 'm', 'c', 'L'] as const

const NEWLINE = 10

/** What stands in a text for bytes that are no UTF-8; where it is in the bytes themselves, it is a character. */
const REPLACED = /\ufffd/g

/** The characters of UTF-8 in bytes: those that are none do not count. */
function characters(bytes: string): number {
  const text = Buffer.from(bytes, 'latin1').toString('utf8')
  const none = (text.match(REPLACED) ?? []).length - (bytes.match(/\xef\xbf\xbd/g) ?? []).length
  return [...text].length - none
}

const isShown = (byte: string) => byte >= ' ' && byte !== '\x7f'

/** The columns of a line: a tab goes to the next eighth one, and what is no character has none. */
function widthOf(line: string): number {
  if (/^[ -~]*$/.test(line)) return line.length
  let column = 0
  for (const piece of line.split(/(\t)/)) {
    if (piece === '\t') column += 8 - (column % 8)
    else column += characters([...piece].filter(isShown).join(''))
  }
  return column
}

/** Counts bytes given as latin1, and the longest line where that is asked for. */
function count(bytes: string, isWidthAsked: boolean): Counts {
  const counts = { l: 0, w: 0, m: 0, c: bytes.length, L: 0 }
  let [inWord, plain] = [false, true]
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes.charCodeAt(at)
    if (byte > 0x7f) plain = false
    const isSpace = byte === 0x20 || (byte >= 9 && byte <= 13)
    if (!isSpace && !inWord) counts.w += 1
    inWord = !isSpace
    if (byte === NEWLINE) counts.l += 1
  }
  counts.m = plain ? bytes.length : characters(bytes)
  if (isWidthAsked) for (const line of bytes.split(/[\n\r\f]/)) counts.L = Math.max(counts.L, widthOf(line))
  return counts
}

/** `wc`: columns as wide as the total of the files, seven for stdin. */
export const wc: OwnCommand = {
  name: 'wc',
  async run(args, context) {
    const letters = args.flatMap((arg) => (/^-./.test(arg) ? [...(LONG[arg] ?? arg.slice(1))] : []))
    const wrong = letters.find((letter) => !COLUMNS.some((column) => column === letter))
    if (wrong !== undefined) return failed('wc', `invalid option -- '${wrong}'`)
    const columns = COLUMNS.filter((column) =>
      letters.length === 0 ? 'lwc'.includes(column) : letters.includes(column),
    )
    const paths = args.filter((arg) => !/^-./.test(arg))
    const rows: { readonly counts: Counts; readonly name: string }[] = []
    let stderr = ''
    for (const path of paths.length === 0 ? ['-'] : paths) {
      try {
        const counts = count(await readInput(path, context), columns.includes('L'))
        rows.push({ counts, name: paths.length === 0 ? '' : path })
      } catch (error) {
        stderr += `wc: ${path}: ${reason(error)}\n`
      }
    }
    const total = rows.reduce((bytes, { counts }) => bytes + counts.c, 0)
    const single = columns.length === 1 && paths.length < 2
    const width = single ? 1 : paths.length === 0 || paths.includes('-') ? 7 : String(total).length
    if (paths.length > 1) rows.push({ counts: sum(rows.map(({ counts }) => counts)), name: 'total' })
    const lines = rows.map(({ counts, name }) =>
      [
        ...columns.map((column) => String(counts[column]).padStart(width)),
        ...(name === '' ? [] : [name]),
      ].join(' '),
    )
    return { ...done(lines.map((line) => `${line}\n`).join(''), stderr === '' ? 0 : 1), stderr }
  },
}

function sum(all: readonly Counts[]): Counts {
  const add = (column: Exclude<keyof Counts, 'L'>) => all.reduce((value, counts) => value + counts[column], 0)
  return { l: add('l'), w: add('w'), m: add('m'), c: add('c'), L: Math.max(0, ...all.map(({ L }) => L)) }
}
