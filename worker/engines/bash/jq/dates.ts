import { strftime } from '../text/strftime.ts'
import type { Plain } from './interpreter.ts'
import { isArray, JqError, type Json, typeOf } from './values.ts'

const DAY = 86_400_000

/** Seconds as jq's broken down time: year, month from 0, day, hours, minutes, seconds, day of the week and of the year. */
function brokenDown(seconds: number): Json {
  const date = new Date(Math.floor(seconds) * 1000)
  if (Number.isNaN(date.getTime()))
    throw new JqError('error converting number of seconds since epoch to datetime')
  const year = date.getUTCFullYear()
  const yearDay = Math.floor((date.getTime() - Date.UTC(year, 0, 1)) / DAY)
  const fraction = seconds - Math.floor(seconds)
  return [
    year,
    date.getUTCMonth(),
    date.getUTCDate(),
    date.getUTCHours(),
    date.getUTCMinutes(),
    date.getUTCSeconds() + fraction,
    date.getUTCDay(),
    yearDay,
  ]
}

function dateOf(value: Json, name: string): Date {
  if (typeof value === 'number') return new Date(Math.floor(value) * 1000)
  if (!isArray(value)) throw new JqError(`${name} requires array of 6 numbers`)
  const parts = value.map((part) => {
    if (typeof part !== 'number') throw new JqError(`${name} requires parsed datetime inputs`)
    return Math.floor(part)
  })
  const [year = 0, month = 0, day = 1, hours = 0, minutes = 0, seconds = 0] = parts
  if (parts.length < 6) throw new JqError(`${name} requires array of 6 numbers`)
  return new Date(Date.UTC(year, month, day, hours, minutes, seconds))
}

const format: (name: string) => Plain =
  (name) =>
  (value, layout = null) => {
    if (typeof value !== 'number' && !isArray(value))
      throw new JqError(`${name}/1 requires parsed datetime inputs`)
    if (typeof layout !== 'string') throw new JqError(`${name}/1 requires a string format`)
    return strftime(layout, dateOf(value, `${name}/1`))
  }

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

interface Parsed {
  year: number
  month: number
  day: number
  hours: number
  minutes: number
  seconds: number
  epoch: number | undefined
  afternoon: boolean | undefined
}

const number = (pattern: string, set: (parsed: Parsed, value: number) => void) => ({
  pattern,
  set: (parsed: Parsed, text: string) => set(parsed, Number(text)),
})

const FIELDS: Readonly<Record<string, { pattern: string; set: (parsed: Parsed, text: string) => void }>> = {
  Y: number('[0-9]{1,4}', (parsed, value) => (parsed.year = value)),
  y: number('[0-9]{1,2}', (parsed, value) => (parsed.year = value + (value < 69 ? 2000 : 1900))),
  m: number('[0-9]{1,2}', (parsed, value) => (parsed.month = value - 1)),
  d: number(' ?[0-9]{1,2}', (parsed, value) => (parsed.day = value)),
  e: number(' ?[0-9]{1,2}', (parsed, value) => (parsed.day = value)),
  H: number('[0-9]{1,2}', (parsed, value) => (parsed.hours = value)),
  I: number('[0-9]{1,2}', (parsed, value) => (parsed.hours = value % 12)),
  M: number('[0-9]{1,2}', (parsed, value) => (parsed.minutes = value)),
  S: number('[0-9]{1,2}', (parsed, value) => (parsed.seconds = value)),
  s: number('[0-9]+', (parsed, value) => (parsed.epoch = value)),
  j: number('[0-9]{1,3}', (parsed, value) => {
    parsed.month = 0
    parsed.day = value
  }),
  b: {
    pattern: '[A-Za-z]{3,9}',
    set: (parsed, text) => (parsed.month = MONTHS.indexOf(text.slice(0, 3).toLowerCase())),
  },
  a: { pattern: '[A-Za-z]{3,9}', set: () => undefined },
  p: { pattern: '[AaPp][Mm]', set: (parsed, text) => (parsed.afternoon = /^p/i.test(text)) },
  Z: { pattern: '[A-Za-z]+', set: () => undefined },
  z: { pattern: 'Z|[-+][0-9]{2}:?[0-9]{2}', set: () => undefined },
}
const SAME: Readonly<Record<string, string>> = { B: 'b', h: 'b', A: 'a', k: 'H', l: 'I' }
const COMPOUND: Readonly<Record<string, string>> = {
  T: '%H:%M:%S',
  F: '%Y-%m-%d',
  R: '%H:%M',
  D: '%m/%d/%y',
  c: '%a %b %e %H:%M:%S %Y',
}

function strptime(value: Json, layout: Json): Json {
  if (typeof value !== 'string') throw new JqError(`strptime/1 requires string inputs and arguments`)
  if (typeof layout !== 'string') throw new JqError('strptime/1 requires string inputs and arguments')
  const wrong = () => new JqError(`date "${value}" does not match format "${layout}"`)
  const setters: ((parsed: Parsed, text: string) => void)[] = []
  const whole = layout.replaceAll(/%([TFRDc])/g, (_, letter: string) => COMPOUND[letter] ?? '')
  const source = whole.replaceAll(/%([a-zA-Z%])|\s+|[\\^$.*+?()[\]{}|]/g, (piece, letter) => {
    if (letter === '%') return '%'
    if (letter === undefined) return /^\s/.test(piece) ? '\\s*' : `\\${piece}`
    const field = FIELDS[SAME[letter] ?? letter]
    if (field === undefined) throw new JqError(`strptime/1: %${letter} is not known here`)
    setters.push(field.set)
    return `(${field.pattern})`
  })
  const found = new RegExp(`^${source}$`).exec(value)
  if (found === null) throw wrong()
  const parsed: Parsed = {
    year: 1900,
    month: 0,
    day: 0,
    hours: 0,
    minutes: 0,
    seconds: 0,
    epoch: undefined,
    afternoon: undefined,
  }
  for (const [at, set] of setters.entries()) set(parsed, found[at + 1] ?? '')
  if (parsed.afternoon === true) parsed.hours += 12
  if (parsed.epoch !== undefined) return brokenDown(parsed.epoch)
  const { year, month, day, hours, minutes, seconds } = parsed
  return brokenDown(Date.UTC(year, month, day, hours, minutes, seconds) / 1000)
}

const down: Plain = (value) => {
  if (typeof value !== 'number') throw new JqError(`gmtime() requires a number`)
  return brokenDown(value)
}

/** Functions of times, all in UTC. */
export const DATES: Readonly<Record<string, Plain>> = {
  'now/0': () => Date.now() / 1000,
  'gmtime/0': down,
  'localtime/0': down,
  'mktime/0': (value) => {
    if (!isArray(value)) throw new JqError(`mktime requires array of 6 numbers, not ${typeOf(value)}`)
    return Math.floor(dateOf(value, 'mktime').getTime() / 1000)
  },
  'strftime/1': format('strftime'),
  'strflocaltime/1': format('strflocaltime'),
  'strptime/1': (value, layout = null) => strptime(value, layout),
}
