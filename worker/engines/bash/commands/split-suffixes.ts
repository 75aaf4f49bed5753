import type { Given } from './options.ts'

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
const DIGITS = '0123456789'

/** The ends of the names of `split`: `aa`, `ab` and so on. Without `-a` they grow: `yz` is followed by `zaaa`. */
export function* suffixes({ flags, values }: Given, count: number): Generator<string, undefined> {
  const from = values.get('numeric-suffixes')
  const numeric = from !== undefined || flags.has('digits')
  const signs = flags.has('hex') ? `${DIGITS}abcdef` : numeric ? DIGITS : LETTERS
  const fixed = values.get('suffix-length')
  const needed = Math.max(2, (count - 1 + Number(from ?? 0)).toString(signs.length).length)
  const grows = fixed === undefined && from === undefined && !values.has('number')
  const width = fixed === undefined ? (grows ? 2 : needed) : Number(fixed)
  for (let level = 0; level === 0 || grows; level += 1) {
    const size = width + level
    const last = signs.at(-1) ?? ''
    const end = signs.length ** size - (grows ? signs.length ** (size - 1) : 0)
    for (let at = level === 0 ? Number(from ?? 0) : 0; at < end; at += 1)
      yield last.repeat(level) + written(at, signs, size)
  }
  return undefined
}

function written(value: number, signs: string, width: number): string {
  let text = ''
  for (let rest = value; text.length < width; rest = Math.floor(rest / signs.length))
    text = (signs[rest % signs.length] ?? '') + text
  return text
}
