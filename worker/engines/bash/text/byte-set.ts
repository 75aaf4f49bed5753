/** How often `[x*n]` repeats at most: more than a list has bytes. */
const MOST = 65_536

/** A list of bytes as `tr` is given it, wrong in this way. */
export class ByteSetError extends Error {}

/** A part of a list: bytes in their order, as numbers. */
export interface ByteItem {
  readonly bytes: readonly number[]
  /** The class that it is of, such as `lower`. */
  readonly named?: string
  /** `[x*]`: as often as the other list is long. */
  readonly fills?: boolean
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at)
const [DIGITS, UPPER, LOWER] = [range(48, 57), range(65, 90), range(97, 122)]
const PUNCTUATION = [...range(33, 47), ...range(58, 64), ...range(91, 96), ...range(123, 126)]

const CLASSES: Readonly<Record<string, readonly number[]>> = {
  alnum: [...DIGITS, ...UPPER, ...LOWER],
  alpha: [...UPPER, ...LOWER],
  blank: [9, 32],
  cntrl: [...range(0, 31), 127],
  digit: DIGITS,
  graph: range(33, 126),
  lower: LOWER,
  print: range(32, 126),
  punct: PUNCTUATION,
  space: [...range(9, 13), 32],
  upper: UPPER,
  xdigit: [...DIGITS, ...range(65, 70), ...range(97, 102)],
}

const LETTERS: Readonly<Record<string, number>> = { a: 7, b: 8, f: 12, n: 10, r: 13, t: 9, v: 11 }

const NAMED = /\[:([^\]]*?):\]/y
const EQUAL = /\[=([\s\S])=\]/y
const REPEATED = /\[(\\[0-7]{1,3}|\\[^0-7]|[^\\])\*(\d*)\]/y
const ONE = /\\([0-7]{1,3})|\\([\s\S])|[\s\S]/y

/**
 * Reads one of the lists of `tr`: ranges, classes, escapes, `[x*n]`.
 *
 * @param text - bytes as latin1.
 * @throws {ByteSetError} where it is not well formed.
 */
export function readByteSet(text: string): ByteItem[] {
  const items: ByteItem[] = []
  let at = 0
  const take = (expression: RegExp) => {
    expression.lastIndex = at
    const found = expression.exec(text)
    if (found !== null) at += found[0].length
    return found
  }
  while (at < text.length) {
    const named = take(NAMED)?.[1]
    if (named !== undefined) {
      const known = CLASSES[named]
      if (known === undefined) throw new ByteSetError(`invalid character class '${named}'`)
      items.push({ bytes: known, named })
      continue
    }
    const equal = take(EQUAL)?.[1]
    if (equal !== undefined) {
      items.push({ bytes: [equal.charCodeAt(0)] })
      continue
    }
    const repeated = take(REPEATED)
    if (repeated !== null) {
      const [, one = '', digits = ''] = repeated
      const count = Math.min(MOST, Number.parseInt(digits || '0', digits.startsWith('0') ? 8 : 10))
      items.push({ bytes: Array.from({ length: count || 1 }, () => byteOf(one)), fills: count === 0 })
      continue
    }
    const from = byteOf(take(ONE)?.[0] ?? '')
    if (text[at] !== '-' || at + 1 >= text.length) {
      items.push({ bytes: [from] })
      continue
    }
    const begin = at
    at += 1
    const end = take(ONE)?.[0] ?? ''
    const to = byteOf(end)
    if (to < from)
      throw new ByteSetError(
        `range-endpoints of '${text.slice(begin - 1, begin)}-${end}' are in reverse collating sequence order`,
      )
    items.push({ bytes: range(from, to) })
  }
  return items
}

function byteOf(written: string): number {
  if (!written.startsWith('\\') || written.length === 1) return written.charCodeAt(0)
  const octal = /^\\([0-7]{1,3})$/.exec(written)?.[1]
  if (octal !== undefined) return Number.parseInt(octal, 8) & 0xff
  const letter = written.slice(1)
  return LETTERS[letter] ?? letter.charCodeAt(0)
}

/** All bytes of a list, in its order. */
export const bytesOf = (items: readonly ByteItem[]): number[] => items.flatMap((item) => item.bytes)

/** All bytes that a list has not. */
export function complement(bytes: readonly number[]): number[] {
  const had = new Set(bytes)
  return range(0, 255).filter((byte) => !had.has(byte))
}
