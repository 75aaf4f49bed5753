import { AwkError } from './error.ts'

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

const two = (value: number) => String(value).padStart(2, '0')

const LETTERS: Readonly<Record<string, (date: Date) => string>> = {
  Y: (date) => String(date.getUTCFullYear()),
  y: (date) => two(date.getUTCFullYear() % 100),
  m: (date) => two(date.getUTCMonth() + 1),
  d: (date) => two(date.getUTCDate()),
  e: (date) => String(date.getUTCDate()).padStart(2),
  H: (date) => two(date.getUTCHours()),
  I: (date) => two(date.getUTCHours() % 12 || 12),
  M: (date) => two(date.getUTCMinutes()),
  S: (date) => two(date.getUTCSeconds()),
  p: (date) => (date.getUTCHours() < 12 ? 'AM' : 'PM'),
  A: (date) => DAYS[date.getUTCDay()] ?? '',
  a: (date) => (DAYS[date.getUTCDay()] ?? '').slice(0, 3),
  B: (date) => MONTHS[date.getUTCMonth()] ?? '',
  b: (date) => (MONTHS[date.getUTCMonth()] ?? '').slice(0, 3),
  j: (date) =>
    String(Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / 86_400_000) + 1).padStart(
      3,
      '0',
    ),
  u: (date) => String(date.getUTCDay() || 7),
  w: (date) => String(date.getUTCDay()),
  s: (date) => String(Math.floor(date.getTime() / 1000)),
  F: (date) => strftime('%Y-%m-%d', date.getTime() / 1000),
  T: (date) => strftime('%H:%M:%S', date.getTime() / 1000),
  R: (date) => strftime('%H:%M', date.getTime() / 1000),
  D: (date) => strftime('%m/%d/%y', date.getTime() / 1000),
  c: (date) => strftime('%a %b %e %H:%M:%S %Y', date.getTime() / 1000),
  Z: () => 'UTC',
  z: () => '+0000',
  n: () => '\n',
  t: () => '\t',
  '%': () => '%',
}

/** A time as text; times are UTC. @param seconds - since 1970. @throws {AwkError} */
export function strftime(format: string, seconds: number): string {
  const date = new Date(seconds * 1000)
  if (Number.isNaN(date.getTime())) throw new AwkError(`strftime: ${seconds} is no time`)
  return format.replaceAll(/%(.)/gs, (piece, letter: string) => {
    const write = LETTERS[letter]
    if (write === undefined) throw new AwkError(`strftime: ${piece} is not known here`)
    return write(date)
  })
}

/** `2024 01 31 12 00 00` as seconds since 1970; -1 for anything else. */
export function mktime(text: string): number {
  const [year, month, day, hour, minute, second] = text.trim().split(/\s+/).map(Number)
  if (year === undefined || month === undefined || day === undefined || hour === undefined) return -1
  const time = Date.UTC(year, month - 1, day, hour, minute ?? 0, second ?? 0)
  return Number.isNaN(time) ? -1 : Math.floor(time / 1000)
}
