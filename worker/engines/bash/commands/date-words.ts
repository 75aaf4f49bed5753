import { fromLocal, offsetOf } from '../text/zone.ts'

const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** Hours before UTC. */
const ZONES: Readonly<Record<string, number>> = {
  z: 0,
  utc: 0,
  gmt: 0,
  wet: 0,
  bst: 1,
  cet: 1,
  cest: 2,
  eet: 2,
  eest: 3,
  msk: 3,
  jst: 9,
  est: -5,
  edt: -4,
  cst: -6,
  cdt: -5,
  mst: -7,
  mdt: -6,
  pst: -8,
  pdt: -7,
}

/** What a unit of time moves: months, days or milliseconds. */
const UNITS: Readonly<Record<string, readonly [of: 'months' | 'days' | 'time', size: number]>> = {
  year: ['months', 12],
  month: ['months', 1],
  fortnight: ['days', 14],
  week: ['days', 7],
  day: ['days', 1],
  hour: ['time', 3_600_000],
  minute: ['time', 60_000],
  min: ['time', 60_000],
  second: ['time', 1000],
  sec: ['time', 1000],
}

const SHIFTS: Readonly<Record<string, number>> = { now: 0, today: 0, yesterday: -1, tomorrow: 1 }
const ORDINALS: Readonly<Record<string, number>> = { last: -1, this: 0, next: 1 }

const MONTH =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)(?![a-z])\\.?'
/** `Jan 5, 2024`, `5 January 2024` and `05-Jan-2024`; without the year it is this one. */
const MONTH_FIRST = new RegExp(
  `^${MONTH}[\\s-]+(\\d{1,2})(?:st|nd|rd|th)?(?![\\d:])(?:,?[\\s-]+(\\d{4})(?![\\d:]))?`,
)
const DAY_FIRST = new RegExp(
  `^(\\d{1,2})(?:st|nd|rd|th)?[\\s-]*${MONTH}(?:,?[\\s-]+(\\d{4})(?![\\d:]))?(?![a-z])`,
)
const CLOCK = /^t?(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?/
const HALF = /^(\d{1,2})\s*([ap])\.?m\b\.?/
/** Behind a time without am and pm a number with a sign is a zone, whatever comes then: `12:00 +1 day` is one day from 11:00. */
const OFFSET = /^\s*([+-])\s*(\d+)(?::?(\d{2}))?(?!\d)/
const RELATIVE =
  /^([+-]?\s*\d+|next|last|this|an?\b)?\s*(seconds?|secs?|minutes?|mins?|hours?|days?|weeks?|fortnights?|months?|years?)(\s+ago)?(?![a-z])/
const WEEKDAY =
  /^(?:([+-]?\d+|next|last|this)\s+)?(sun|mon|tue|wed|thu|fri|sat)(?:s|r|rs|day|sday|nesday|rsday|urday)?\.?(?![a-z])/

/** What the words say. Times are those that clocks of the zone show, as if they were UTC. */
interface Said {
  readonly year: number
  day?: number
  time?: number
  offset?: number
  weekday?: readonly [ordinal: number, day: number]
  isMoved: boolean
  readonly moves: { months: number; days: number; time: number }
}

/**
 * The time that words such as `2024-01-15 +3 days` or `last friday` name, as GNU date reads them; undefined where they do not.
 *
 * @param zone - as in TZ; undefined: UTC.
 */
export function parseDate(text: string, now: Date, zone?: string): Date | undefined {
  const epoch = /^\s*@\s*(-?\d+)(?:[.,](\d{1,3})\d*)?\s*$/.exec(text)
  if (epoch !== null) return new Date(Number(epoch[1]) * 1000 + Number((epoch[2] ?? '').padEnd(3, '0')))
  const local = now.getTime() + offsetOf(now, zone) * 60_000
  const said: Said = {
    year: new Date(local).getUTCFullYear(),
    isMoved: false,
    moves: { months: 0, days: 0, time: 0 },
  }
  let rest = text.trim().toLowerCase()
  while (rest !== '') {
    const taken = takeWord(rest, said)
    if (taken === undefined || taken === 0) return undefined
    rest = rest.slice(taken).replace(/^[\s,]+(?:(?:at|of|and|on)\s+)?/, '')
  }
  return timeOf(said, local, zone)
}

function timeOf(said: Said, now: number, zone: string | undefined): Date | undefined {
  const { day, time, weekday, moves } = said
  const today = Math.floor(now / 86_400_000) * 86_400_000
  const keepsTime = said.isMoved && day === undefined && weekday === undefined
  const date = new Date((day ?? today) + (time ?? (keepsTime ? now - today : 0)))
  if (weekday !== undefined && day === undefined) {
    const [ordinal, target] = weekday
    const ahead = (target - date.getUTCDay() + 7) % 7
    date.setUTCDate(date.getUTCDate() + ahead + 7 * (ordinal - (ordinal > 0 && ahead > 0 ? 1 : 0)))
  }
  date.setUTCMonth(date.getUTCMonth() + moves.months, date.getUTCDate() + moves.days)
  const shown = date.getTime()
  const at = said.offset === undefined ? fromLocal(shown, zone) : shown - said.offset * 60_000
  return Number.isNaN(at) ? undefined : new Date(at + moves.time)
}

function takeWord(rest: string, said: Said): number | undefined {
  const date = takeDay(rest, said)
  if (date !== undefined) return date
  const time = takeTime(rest, said)
  if (time !== undefined) return time
  const weekday = WEEKDAY.exec(rest)
  if (weekday !== null) {
    const [all, which = 'this', name = ''] = weekday
    if (said.weekday !== undefined) return undefined
    said.weekday = [ORDINALS[which] ?? Number(which), DAYS.indexOf(name)]
    return all.length
  }
  const relative = RELATIVE.exec(rest)
  if (relative !== null) return move(said, relative)
  const word = /^[a-z]+/.exec(rest)?.[0] ?? ''
  const shift = SHIFTS[word]
  if (shift !== undefined) {
    said.moves.days += shift
    said.isMoved = true
    return word.length
  }
  const hours = ZONES[word]
  if (hours !== undefined) return takeZone(rest, word, hours, said)
  return takeNumber(rest, said)
}

function takeDay(rest: string, said: Said): number | undefined {
  const iso =
    /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:t(?=\d)|(?!\d))/.exec(rest) ??
    /^(\d{4})(\d\d)(\d\d)(?:t(?=\d)|(?![\d:]))/.exec(rest)
  if (iso !== null) return setDay(said, iso, iso[1], Number(iso[2]), iso[3])
  const american = /^(\d{1,2})\/(\d{1,2})(?:\/(\d{2}|\d{4}))?(?!\d)/.exec(rest)
  if (american !== null) return setDay(said, american, american[3], Number(american[1]), american[2])
  const first = MONTH_FIRST.exec(rest)
  if (first !== null) return setDay(said, first, first[3], monthOf(first[1]), first[2])
  const second = DAY_FIRST.exec(rest)
  return second === null ? undefined : setDay(said, second, second[3], monthOf(second[2]), second[1])
}

const monthOf = (name = '') => MONTHS.indexOf(name.slice(0, 3)) + 1

function setDay(
  said: Said,
  [all]: RegExpExecArray,
  digits: string | undefined,
  month: number,
  day: string | undefined,
): number | undefined {
  if (said.day !== undefined) return undefined
  const short = digits?.length === 2 ? Number(digits) : undefined
  const year = short === undefined ? Number(digits ?? said.year) : short + (short < 69 ? 2000 : 1900)
  const date = new Date(Date.UTC(year, month - 1, Number(day)))
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== Number(day)) return undefined
  said.day = date.getTime()
  return all.length
}

function clock(said: Said, hours: number, taken: number): number | undefined {
  if (said.time !== undefined || hours >= 24) return undefined
  said.time = hours * 3_600_000
  return taken
}

function takeTime(rest: string, said: Said): number | undefined {
  const half = HALF.exec(rest)
  if (half !== null) return clock(said, halfOf(Number(half[1]), half[2]), half[0].length)
  const found = CLOCK.exec(rest)
  if (found === null) return undefined
  const [all, hours, minutes = '0', seconds = '0', fraction = ''] = found
  if (said.time !== undefined || Number(minutes) > 59 || Number(seconds) > 60) return undefined
  let taken = all.length
  const meridian = /^\s*([ap])\.?m\b\.?/.exec(rest.slice(taken))
  const hour = meridian === null ? Number(hours) : halfOf(Number(hours), meridian[1])
  if (hour >= 24) return undefined
  const milliseconds = Number(fraction.slice(0, 3).padEnd(3, '0'))
  said.time = ((hour * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + milliseconds
  if (meridian !== null) return taken + meridian[0].length
  const offset = OFFSET.exec(rest.slice(taken))
  if (offset === null) return taken
  if (!setOffset(said, offset, 0)) return undefined
  taken += offset[0].length
  return taken
}

const halfOf = (hour: number, half: string | undefined): number =>
  hour >= 1 && hour <= 12 ? (hour % 12) + (half === 'p' ? 12 : 0) : 24

function setOffset(said: Said, [, sign, digits = '', after]: RegExpExecArray, zone: number): boolean {
  const isLong = after === undefined && digits.length > 2
  const hours = Number(isLong ? digits.slice(0, -2) : digits)
  const minutes = hours * 60 + Number(isLong ? digits.slice(-2) : (after ?? 0))
  if (said.offset !== undefined || minutes > 24 * 60) return false
  said.offset = zone * 60 + (sign === '-' ? -minutes : minutes)
  return true
}

/** `UTC` and `UTC+3`; a number with a unit behind it moves the time. */
function takeZone(rest: string, word: string, hours: number, said: Said): number | undefined {
  const behind = rest.slice(word.length)
  const offset = OFFSET.exec(behind)
  if (offset !== null && !RELATIVE.test(behind.trimStart()))
    return setOffset(said, offset, hours) ? word.length + offset[0].length : undefined
  if (said.offset !== undefined) return undefined
  said.offset = hours * 60
  return word.length
}

/** A number of four digits behind a date and a time is its year, and an hour or time otherwise. */
function takeNumber(rest: string, said: Said): number | undefined {
  const digits = /^\d{1,4}(?!\d)/.exec(rest)?.[0]
  if (digits === undefined) return undefined
  if (digits.length === 4 && said.day !== undefined && said.time !== undefined) {
    const date = new Date(said.day)
    date.setUTCFullYear(Number(digits))
    said.day = date.getTime()
    return digits.length
  }
  if (said.time !== undefined) return undefined
  const hours = Number(digits.length > 2 ? digits.slice(0, -2) : digits)
  const minutes = digits.length > 2 ? Number(digits.slice(-2)) : 0
  return minutes > 59 ? undefined : clock(said, hours + minutes / 60, digits.length)
}

function move(said: Said, [all, amount = '1', name = '', ago]: RegExpExecArray): number {
  const [of, size] = UNITS[name.replace(/s$/, '')] ?? ['days', 0]
  const count = ORDINALS[amount] ?? (amount.startsWith('a') ? 1 : Number(amount.replaceAll(/\s/g, '')))
  said.moves[of] += (ago === undefined ? count : -count) * size
  said.isMoved = true
  return all.length
}
