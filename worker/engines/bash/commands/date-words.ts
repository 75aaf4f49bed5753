const UNITS: Readonly<Record<string, number>> = {
  sec: 1,
  second: 1,
  min: 60,
  minute: 60,
  hour: 3600,
  day: 86400,
  week: 604800,
  fortnight: 1209600,
}

const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']

const RELATIVE =
  /^([+-]?\s*\d+|next|last|a|an)\s*(sec|second|min|minute|hour|day|week|fortnight|month|year)s?(\s+ago)?\b/

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

const MONTH =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\b\\.?'
/** `Jan 5, 2024`, `5 January 2024` and `05-Jan-2024`; without the year it is this one. */
const MONTH_FIRST = new RegExp(
  `^${MONTH}[\\s-]+(\\d{1,2})(?:st|nd|rd|th)?(?![\\d:])(?:,?[\\s-]+(\\d{4})(?![\\d:]))?`,
)
const DAY_FIRST = new RegExp(
  `^(\\d{1,2})(?:st|nd|rd|th)?[\\s-]*${MONTH}(?:,?[\\s-]+(\\d{4})(?![\\d:]))?(?![a-z])`,
)

/** What the words before have said. */
interface Said {
  /** The time until now. */
  readonly date: Date
  readonly now: Date
  day: boolean
  time: boolean
}

/** The time that words such as `2024-01-15 +3 days` or `last friday` name; undefined where they do not. UTC. */
export function parseDate(text: string, now: Date): Date | undefined {
  let rest = text.trim().toLowerCase()
  const said: Said = { date: new Date(now), now, day: false, time: false }
  let moved = rest === ''
  while (rest !== '') {
    const taken = takeWord(rest, said)
    if (taken === undefined) return undefined
    rest = rest.slice(taken).replace(/^[\s,]+(?:(?:at|of|and)\s+)?/, '')
    moved = true
  }
  return moved && !Number.isNaN(said.date.getTime()) ? said.date : undefined
}

function takeWord(rest: string, said: Said): number | undefined {
  const { date } = said
  const epoch = /^@(-?\d+)(?:\.\d+)?/.exec(rest)
  if (epoch !== null) return take(epoch, () => date.setTime(Number(epoch[1]) * 1000))
  const day = takeDay(rest, said)
  if (day !== undefined) return day
  const time =
    /^(\d{1,2})(?::(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*(am|pm)?|\s*(am|pm)\b)\s*(z|utc|gmt|[+-]\d{2}:?\d{2})?(?![\d\s]*(?:sec|min|hour|day|week|month|year))/.exec(
      rest,
    )
  if (time !== null) return take(time, () => setTime(said, time))
  const relative = RELATIVE.exec(rest)
  if (relative !== null) return take(relative, () => move(date, relative))
  const word = /^(now|today|yesterday|tomorrow|midnight|noon|ago|utc)\b/.exec(rest)
  if (word !== null) return take(word, () => named(date, word[1] ?? ''))
  const weekDay = /^(?:(next|last|this)\s+)?(sun|mon|tue|wed|thu|fri|sat)[a-z]*/.exec(rest)
  if (weekDay !== null) return take(weekDay, () => weekday(said, weekDay[1], weekDay[2] ?? ''))
  // The year stands last in what date prints.
  const year = said.day && said.time ? /^\d{4}$/.exec(rest) : null
  return year === null ? undefined : take(year, () => date.setUTCFullYear(Number(year[0])))
}

function takeDay(rest: string, said: Said): number | undefined {
  const year = String(said.now.getUTCFullYear())
  const iso =
    /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:t(?=\d)|(?!\d))/.exec(rest) ??
    /^(\d{4})(\d\d)(\d\d)(?![\d:])/.exec(rest)
  if (iso !== null) return take(iso, () => setDay(said, iso[1], Number(iso[2]), iso[3]))
  const american = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?!\d)/.exec(rest)
  if (american !== null)
    return take(american, () => setDay(said, american[3], Number(american[1]), american[2]))
  const first = MONTH_FIRST.exec(rest)
  if (first !== null) return take(first, () => setDay(said, first[3] ?? year, monthOf(first[1]), first[2]))
  const second = DAY_FIRST.exec(rest)
  if (second === null) return undefined
  return take(second, () => setDay(said, second[3] ?? year, monthOf(second[2]), second[1]))
}

const monthOf = (name = '') => MONTHS.indexOf(name.slice(0, 3)) + 1

function take(match: RegExpExecArray, act: () => unknown): number {
  act()
  return match[0].length
}

function setDay(said: Said, year: string | undefined, month: number, day: string | undefined): void {
  const { date } = said
  const time = said.time ? date.getTime() % 86_400_000 : 0
  date.setTime(Date.UTC(Number(year), month - 1, Number(day)))
  if (date.getUTCMonth() === month - 1) date.setTime(date.getTime() + time)
  else date.setTime(Number.NaN)
  said.day = true
}

function setTime(
  said: Said,
  [, hours, minutes = '0', seconds = '0', before, after, zone]: RegExpExecArray,
): void {
  const { date } = said
  said.time = true
  const half = before ?? after
  const hour = (Number(hours) % (half === undefined ? 24 : 12)) + (half === 'pm' ? 12 : 0)
  date.setUTCHours(hour, Number(minutes), Number(seconds), 0)
  const offset = /^([+-])(\d{2}):?(\d{2})$/.exec(zone ?? '')
  if (offset === null) return
  const [, sign, hoursAway, minutesAway] = offset
  date.setTime(
    date.getTime() - (sign === '-' ? -1 : 1) * (Number(hoursAway) * 60 + Number(minutesAway)) * 60_000,
  )
}

function move(date: Date, [, amount = '', unit = '', ago]: RegExpExecArray): void {
  const size =
    amount === 'next' || amount.startsWith('a')
      ? 1
      : amount === 'last'
        ? -1
        : Number(amount.replaceAll(/\s/g, ''))
  const count = ago === undefined ? size : -size
  if (unit === 'month') date.setUTCMonth(date.getUTCMonth() + count)
  else if (unit === 'year') date.setUTCFullYear(date.getUTCFullYear() + count)
  else date.setTime(date.getTime() + count * (UNITS[unit] ?? 0) * 1000)
}

function named(date: Date, word: string): void {
  if (word === 'yesterday') date.setTime(date.getTime() - 86_400_000)
  else if (word === 'tomorrow') date.setTime(date.getTime() + 86_400_000)
  else if (word === 'midnight') date.setUTCHours(0, 0, 0, 0)
  else if (word === 'noon') date.setUTCHours(12, 0, 0, 0)
}

/** A day of the week beside a date says nothing. */
function weekday({ date, now, day }: Said, which: string | undefined, name: string): void {
  if (day) return
  const target = DAYS.findIndex((one) => one.startsWith(name))
  const ahead = (target - now.getUTCDay() + 7) % 7
  const days = which === 'last' ? (ahead === 0 ? -7 : ahead - 7) : which === 'next' && ahead === 0 ? 7 : ahead
  date.setTime(now.getTime() + days * 86_400_000)
  date.setUTCHours(0, 0, 0, 0)
}
