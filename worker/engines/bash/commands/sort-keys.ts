/** How a key is compared. */
export interface SortOrder {
  readonly numeric: boolean
  readonly general: boolean
  readonly human: boolean
  readonly version: boolean
  readonly month: boolean
  readonly fold: boolean
  readonly blanks: boolean
  readonly dictionary: boolean
  readonly reverse: boolean
}

/** A place in a line: field and character, both from 1; character 0 is the end of the field. */
interface Place {
  readonly field: number
  readonly character: number
}

export interface SortKey {
  readonly start: Place
  readonly end: Place | undefined
  readonly order: SortOrder
  /** Without letters of its own a key takes those of the command. */
  readonly inherits: boolean
}

export const orderOf = (letters: string): SortOrder => ({
  numeric: letters.includes('n'),
  general: letters.includes('g'),
  human: letters.includes('h'),
  version: letters.includes('V'),
  month: letters.includes('M'),
  fold: letters.includes('f'),
  blanks: letters.includes('b'),
  dictionary: letters.includes('d'),
  reverse: letters.includes('r'),
})

/** `2,3nr` or `1.2`; undefined where it is none. */
export function parseKey(text: string): SortKey | undefined {
  const match = /^(\d+)(?:\.(\d+))?([bdfghMnrV]*)(?:,(\d+)(?:\.(\d+))?([bdfghMnrV]*))?$/.exec(text)
  if (match === null || match[1] === '0') return undefined
  const letters = `${match[3] ?? ''}${match[6] ?? ''}`
  return {
    start: { field: Number(match[1]), character: Number(match[2] ?? '1') },
    end: match[4] === undefined ? undefined : { field: Number(match[4]), character: Number(match[5] ?? '0') },
    order: orderOf(letters),
    inherits: letters === '',
  }
}

/** Where each field begins and ends. Without a separator a field takes the blanks before it. */
function fieldsOf(line: string, separator: string | undefined): (readonly [from: number, to: number])[] {
  const fields: [number, number][] = []
  if (separator === undefined) {
    for (const match of line.matchAll(/[ \t]*[^ \t]+|[ \t]+$/g))
      fields.push([match.index, match.index + match[0].length])
    return fields
  }
  let from = 0
  for (;;) {
    const at = line.indexOf(separator, from)
    if (at < 0) return [...fields, [from, line.length]]
    fields.push([from, at])
    from = at + separator.length
  }
}

/** The text of a key in a line. */
export function keyText(line: string, { start, end, order }: SortKey, separator: string | undefined): string {
  const fields = fieldsOf(line, separator)
  const skip = (at: number) => (order.blanks ? at + (/^[ \t]*/.exec(line.slice(at))?.[0].length ?? 0) : at)
  const first = fields[start.field - 1]
  if (first === undefined) return ''
  const from = Math.min(skip(first[0]) + start.character - 1, line.length)
  if (end === undefined) return line.slice(from)
  const last = fields[end.field - 1]
  if (last === undefined) return line.slice(from)
  const to = end.character === 0 ? last[1] : Math.min(skip(last[0]) + end.character, line.length)
  return line.slice(from, Math.max(from, to))
}

const compareText = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0)

const number = (text: string) => Number(/^[ \t]*-?\d*\.?\d*/.exec(text)?.[0] ?? '0') || 0

function general(text: string): number {
  const match = /^\s*[-+]?(?:\d+\.?\d*(?:e[-+]?\d+)?|\.\d+(?:e[-+]?\d+)?|inf(?:inity)?|0x[\da-f]+)/i.exec(
    text,
  )
  if (match === null) return Number.NEGATIVE_INFINITY
  const value = match[0].trim().toLowerCase()
  return value.includes('inf')
    ? value.startsWith('-')
      ? -Number.MAX_VALUE
      : Number.MAX_VALUE
    : Number(value)
}

/** The sign, then the suffix, then the number. */
function human(text: string): readonly [number, number] {
  const match = /^[ \t]*(-?)(\d*\.?\d*)([KkMGTPEZY]?)/.exec(text)
  const value = Number(match?.[2]) || 0
  const sign = match?.[1] === '-' ? -1 : 1
  return [value === 0 ? 0 : sign * (' KMGTPEZY'.indexOf((match?.[3] || ' ').toUpperCase()) + 1), sign * value]
}

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
const month = (text: string) => MONTHS.indexOf(text.trimStart().slice(0, 3).toUpperCase()) + 1

function version(left: string, right: string): number {
  const [a, b] = [parts(left), parts(right)]
  for (let at = 0; at < Math.max(a.length, b.length); at += 1) {
    const [one, other] = [a[at], b[at]]
    const result =
      compareText(ranked(one?.text ?? ''), ranked(other?.text ?? '')) ||
      (one?.number ?? 0) - (other?.number ?? 0)
    if (result !== 0) return result
  }
  return 0
}

/** A text without digits and the number after it, in turn. */
const parts = (text: string) =>
  [...text.matchAll(/(\D*)(\d*)/g)].map(([, prefix = '', digits = '']) => ({
    text: prefix,
    number: Number(digits),
  }))

/** `~` before the end, the end before letters, letters before all else. */
const ranked = (text: string) =>
  `${[...text].map((letter) => (letter === '~' ? '\x00' : `${/[A-Za-z]/.test(letter) ? '\x02' : '\x03'}${letter}`)).join('')}\x01`

/** Compares two keys; 0 where they are equal in this order. */
export function compareKeys(left: string, right: string, order: SortOrder): number {
  const result = inOrder(left, right, order)
  return order.reverse ? -result : result
}

function inOrder(left: string, right: string, order: SortOrder): number {
  if (order.numeric) return number(left) - number(right)
  if (order.general) return compareNumbers(general(left), general(right))
  if (order.month) return month(left) - month(right)
  if (order.human) {
    const [a, b] = [human(left), human(right)]
    return a[0] - b[0] || a[1] - b[1]
  }
  const plain = (text: string) => {
    const bare = order.blanks ? text.trimStart() : text
    const kept = order.dictionary ? bare.replaceAll(/[^A-Za-z0-9 \t]/g, '') : bare
    return order.fold ? kept.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase()) : kept
  }
  return order.version ? version(left, right) : compareText(plain(left), plain(right))
}

const compareNumbers = (left: number, right: number) => (left < right ? -1 : left > right ? 1 : 0)
