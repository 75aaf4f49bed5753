import { encode } from '../text/bytes.ts'
import { bytes, failed, type OwnCommand } from './command.ts'
import { readAll, splitLines } from './lines.ts'
import { isGiven, readOptions } from './options.ts'

const OPTIONS = {
  width: { type: 'string', short: 'w' },
  goal: { type: 'string', short: 'g' },
  'split-only': { type: 'boolean', short: 's' },
  'uniform-spacing': { type: 'boolean', short: 'u' },
} as const

interface Word {
  readonly text: string
  /** Blanks behind it. */
  readonly space: number
  /** It ends like a sentence. */
  readonly period: boolean
  /** It ends one: more blanks or nothing follow. */
  readonly final: boolean
  /** It ends with a punctuation mark. */
  readonly punctuated: boolean
  /** It begins with a parenthesis. */
  readonly opens: boolean
}

const ENDS = /[.?!][)\]'"]*$/
const square = (value: number) => value * value

/** What a line that begins with a word costs, as GNU fmt weighs it. */
function beginCost(words: readonly Word[], at: number): number {
  let cost = square(70)
  const [word, before] = [words[at], words[at - 1]]
  if (before !== undefined) {
    if (before.period) cost += before.final ? -square(50) : square(600)
    else if (before.punctuated) cost -= square(40)
    else if (words[at - 2]?.final === true) cost += Math.floor(square(200) / (before.text.length + 2))
  }
  if (word?.opens === true) cost -= square(40)
  else if (word?.final === true) cost += Math.floor(square(150) / (word.text.length + 2))
  return cost
}

/** Line breaks of a paragraph at the least cost: GNU fmt's rules. */
function breaks(words: readonly Word[], width: number, goal: number, first: number, rest: number): number[] {
  const count = words.length
  const best: number[] = new Array<number>(count + 1).fill(0)
  const next: number[] = new Array<number>(count + 1).fill(count)
  const lengths: number[] = new Array<number>(count + 1).fill(0)
  for (let start = count - 1; start >= 0; start -= 1) {
    let lowest = Number.POSITIVE_INFINITY
    let length = (start === 0 ? first : rest) + (words[start]?.text.length ?? 0)
    let at = start
    do {
      at += 1
      const cost = lineCost(at, length, count, goal, lengths[at] ?? 0, next[at] ?? count) + (best[at] ?? 0)
      if (cost < lowest) {
        lowest = cost
        next[start] = at
        lengths[start] = length
      }
      if (at === count) break
      length += (words[at - 1]?.space ?? 1) + (words[at]?.text.length ?? 0)
    } while (length < width)
    best[start] = lowest + beginCost(words, start)
  }
  const found: number[] = []
  for (let at = 0; at < count; at = next[at] ?? count) found.push(at)
  return found
}

function lineCost(
  at: number,
  length: number,
  count: number,
  goal: number,
  nextLength: number,
  after: number,
): number {
  if (at === count) return 0
  let cost = square((goal - length) * 10)
  if (after !== count) cost += Math.floor(square((length - nextLength) * 10) / 2)
  return cost
}

function wordsOf(lines: readonly string[], uniform: boolean): Word[] {
  const found: Word[] = []
  for (const line of lines) {
    const pieces = [...line.trim().matchAll(/(\S+)(\s*)/g)]
    for (const [at, [, text = '', blanks = '']] of pieces.entries()) {
      const last = at === pieces.length - 1
      const period = ENDS.test(text)
      const final = period && (last || blanks.length > 1)
      const space = last || uniform ? (final ? 2 : 1) : blanks.length
      found.push({
        text,
        space,
        period,
        final,
        punctuated: /[!-/:-@[-`{-~]$/.test(text),
        opens: /^[('"`[]/.test(text),
      })
    }
  }
  const last = found.pop()
  return last === undefined ? [] : [...found, { ...last, period: true, final: true }]
}

/** Lines of a width, filled with the words of each paragraph. */
function filled(lines: readonly string[], width: number, goal: number, uniform: boolean): string[] {
  const margin = /^\s*/.exec(lines[0] ?? '')?.[0] ?? ''
  const other = lines.length > 1 ? (/^\s*/.exec(lines[1] ?? '')?.[0] ?? '') : margin
  const words = wordsOf(lines, uniform)
  const starts = breaks(words, width, goal, margin.length, other.length)
  return starts.map((start, line) => {
    const piece = words.slice(start, starts[line + 1])
    const text = piece
      .map((word, at) => (at === piece.length - 1 ? word.text : word.text + ' '.repeat(word.space)))
      .join('')
    return (line === 0 ? margin : other) + text
  })
}

/** Paragraphs: lines with one margin, apart from empty lines. */
function paragraphs(lines: readonly string[]): string[][] {
  const found: string[][] = []
  let last: string | undefined
  for (const line of lines) {
    const margin = /^\s*/.exec(line)?.[0] ?? ''
    if (line.trim() === '') {
      found.push([])
      last = undefined
    } else if (margin === last) found.at(-1)?.push(line)
    else {
      found.push([line])
      last = margin
    }
  }
  return found
}

/** `fmt [-s] [-u] [-w width] [-g goal] [file…]` */
export const fmt: OwnCommand = {
  name: 'fmt',
  async run(args, context) {
    const read = readOptions(
      'fmt',
      args.map((arg) => arg.replace(/^-(\d+)$/, '-w$1')),
      OPTIONS,
    )
    if (!isGiven(read)) return read
    const { flags, values } = read
    const width = Number(values.get('width') ?? '75')
    const goal = Number(values.get('goal') ?? Math.floor((width * (2 * (100 - 7) + 1)) / 200))
    if (!Number.isInteger(width) || width < 1 || !Number.isInteger(goal))
      return failed('fmt', 'invalid width')
    const { texts, stderr } = await readAll('fmt', read.operands, context)
    const lines = texts.flatMap(({ text }) => splitLines(text).lines)
    const groups = flags.has('split-only')
      ? lines.map((line) => (line.trim() === '' ? [] : [line]))
      : paragraphs(lines)
    const output = groups.flatMap((group) =>
      group.length === 0 ? [''] : filled(group, width, goal, flags.has('uniform-spacing')),
    )
    return {
      ...bytes(encode(output.map((line) => `${line}\n`).join(''))),
      stderr,
      exitCode: stderr === '' ? 0 : 1,
    }
  },
}
