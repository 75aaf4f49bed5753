import { encode } from '../text/bytes.ts'
import type { Matcher } from './matcher.ts'
import type { GrepOptions } from './options.ts'

/** What was found in one text. */
export interface Found {
  readonly count: number
  readonly lines: readonly string[]
  /** Whether the text is no text, so that only the fact of a match is told. */
  readonly binary: boolean
}

const sizeOf = (text: string) => encode(text).length

/** Looks for lines, and prints them as the options say. */
export function search(
  text: string,
  name: string | undefined,
  matcher: Matcher,
  options: GrepOptions,
  step: () => void,
): Found {
  const { flags, before, after, limit, separator } = options
  step()
  if (!flags.has('v') && !matcher.canMatch(text)) return { count: 0, lines: [], binary: false }
  const end = flags.has('z') ? '\0' : '\n'
  const all = text.split(end)
  if (all.at(-1) === '') all.pop()
  const isText =
    flags.has('a') ||
    (!/[\udc80-\udcff](?<![\ud800-\udbff].)/.test(text) && (flags.has('z') || !text.includes('\0')))
  const listing = ['c', 'l', 'L', 'q'].some((letter) => flags.has(letter))
  if (!isText && flags.has('I')) return { count: 0, lines: [], binary: false }
  const lines: string[] = []
  let count = 0
  let printed = -1
  let trailing = 0
  let offset = 0
  const offsets: number[] = []
  const head = (at: number, mark: string, column = 0): string =>
    [
      ...(name === undefined ? [] : [flags.has('Z') ? `${name}\0` : name + mark]),
      ...(flags.has('n') ? [`${at + 1}${mark}`] : []),
      ...(flags.has('b') ? [`${(offsets[at] ?? 0) + column}${mark}`] : []),
    ].join('')
  const print = (at: number, mark: string) => {
    lines.push(head(at, mark) + (all[at] ?? ''))
    printed = at
  }
  for (const [at, line] of all.entries()) {
    step()
    if (flags.has('b')) {
      offsets.push(offset)
      offset += sizeOf(line) + 1
    }
    if (count >= limit && trailing === 0) break
    const selected = count < limit && matcher.test(line) !== flags.has('v')
    if (!selected) {
      if (trailing > 0) {
        trailing -= 1
        if (!flags.has('o')) print(at, '-')
      }
      continue
    }
    count += 1
    if (listing && (flags.has('l') || flags.has('L') || flags.has('q'))) break
    if (listing) continue
    if (!isText) return { count, lines: [], binary: true }
    if (flags.has('o')) {
      if (flags.has('v')) continue
      for (const { index, text: part } of matcher.matches(line))
        lines.push(head(at, ':', flags.has('b') ? sizeOf(line.slice(0, index)) : 0) + part)
      continue
    }
    const first = Math.max(printed + 1, at - before)
    if (separator !== undefined && before + after > 0 && printed >= 0 && first > printed + 1)
      lines.push(separator)
    for (let context = first; context < at; context += 1) print(context, '-')
    print(at, ':')
    trailing = after
  }
  return { count, lines, binary: false }
}
