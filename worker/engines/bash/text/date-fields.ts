import { strftime } from './strftime.ts'
import { offsetOf, zoneName } from './zone.ts'

/** A field of `date` with flags, a width or colons: `%-d`, `%_H`, `%^a`, `%3N`, `%:z`. */
const FIELD = /%([-_0^#]*)(\d*)(:{0,3})([a-zA-Z%])/g

/** Writes the fields that have flags, a width or colons; the others stay. @param zone - as in TZ; undefined: UTC */
export function dateFields(format: string, date: Date, zone: string | undefined): string {
  const offset = offsetOf(date, zone)
  const local = new Date(date.getTime() + offset * 60_000)
  return format.replaceAll(FIELD, (text, flags: string, width: string, colons: string, letter: string) => {
    if (letter === 'N') return nanoseconds(date, Number(width) || 9)
    if (letter === 'q') return String(Math.floor(local.getUTCMonth() / 3) + 1)
    if (letter === 'Z' && width + colons === '') {
      const name = zoneName(date, zone)
      return flags === '#' ? name.toLowerCase() : name
    }
    if (letter === '%' || letter === 'Z' || flags + width + colons === '') return text
    if (letter === 'z') return offsetText(offset, colons.length)
    if (colons !== '') return text.replaceAll('%', '%%')
    const plain = letter === 's' ? String(Math.floor(date.getTime() / 1000)) : strftime(`%${letter}`, local)
    return plain.startsWith('%') ? text.replaceAll('%', '%%') : flagged(plain, flags, Number(width))
  })
}

/** `%N`. @param digits - of its nine. */
export function nanoseconds(date: Date, digits = 9): string {
  return `${String(date.getUTCMilliseconds()).padStart(3, '0')}000000`.slice(0, digits)
}

function offsetText(minutes: number, colons: number): string {
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  const size = Math.abs(minutes)
  const parts = [two(size / 60), two(size % 60), '00']
  const sign = minutes < 0 ? '-' : '+'
  if (colons === 0) return `${sign}${parts[0]}${parts[1]}`
  if (colons === 3) return `${sign}${size % 60 === 0 ? parts[0] : parts.slice(0, 2).join(':')}`
  return sign + parts.slice(0, colons + 1).join(':')
}

function flagged(text: string, flags: string, width: number): string {
  const isNumber = /^[ \d]+$/.test(text)
  const bare = text.replace(/^[0 ]+(?=.)/, '')
  const size = Math.max(width, text.length)
  let shown = text
  if (isNumber && flags.includes('-')) shown = bare.padStart(width, '0')
  else if (isNumber && flags.includes('_')) shown = bare.padStart(size)
  else if (isNumber) shown = (flags.includes('0') || width > 0 ? bare : text).padStart(size, '0')
  else shown = text.padStart(width, flags.includes('0') ? '0' : ' ')
  if (flags.includes('^')) return shown.toUpperCase()
  return flags.includes('#') ? (/^[AP]M$/.test(shown) ? shown.toLowerCase() : shown.toUpperCase()) : shown
}
