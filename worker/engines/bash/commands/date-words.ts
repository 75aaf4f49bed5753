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

/** The time that words such as `2024-01-15 +3 days` or `last friday` name; undefined where they do not. UTC. */
export function parseDate(text: string, now: Date): Date | undefined {
  let rest = text.trim().toLowerCase()
  const date = new Date(now)
  let moved = rest === ''
  while (rest !== '') {
    const taken = takeWord(rest, date, now)
    if (taken === undefined) return undefined
    rest = rest.slice(taken).replace(/^[\s,]+(?:(?:at|of|and)\s+)?/, '')
    moved = true
  }
  return moved && !Number.isNaN(date.getTime()) ? date : undefined
}

function takeWord(rest: string, date: Date, now: Date): number | undefined {
  const epoch = /^@(-?\d+)(?:\.\d+)?/.exec(rest)
  if (epoch !== null) return take(epoch, () => date.setTime(Number(epoch[1]) * 1000))
  const iso = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})t?(?!\d)/.exec(rest)
  if (iso !== null) return take(iso, () => setDay(date, Number(iso[1]), Number(iso[2]), Number(iso[3])))
  const time =
    /^(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*(am|pm)?\s*(z|utc|gmt|[+-]\d{2}:?\d{2})?(?![\d\s]*(?:sec|min|hour|day|week|month|year))/.exec(
      rest,
    )
  if (time !== null) return take(time, () => setTime(date, time))
  const relative = RELATIVE.exec(rest)
  if (relative !== null) return take(relative, () => move(date, relative))
  const word = /^(now|today|yesterday|tomorrow|midnight|noon|ago|utc)\b/.exec(rest)
  if (word !== null) return take(word, () => named(date, word[1] ?? ''))
  const day = /^(?:(next|last|this)\s+)?(sun|mon|tue|wed|thu|fri|sat)[a-z]*/.exec(rest)
  if (day !== null) return take(day, () => weekday(date, now, day[1], day[2] ?? ''))
  return undefined
}

function take(match: RegExpExecArray, act: () => unknown): number {
  act()
  return match[0].length
}

function setDay(date: Date, year: number, month: number, day: number): void {
  date.setTime(Date.UTC(year, month - 1, day))
  if (date.getUTCMonth() !== month - 1) date.setTime(Number.NaN)
}

function setTime(date: Date, [, hours, minutes, seconds = '0', half, zone]: RegExpExecArray): void {
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

function weekday(date: Date, now: Date, which: string | undefined, name: string): void {
  const target = DAYS.findIndex((day) => day.startsWith(name))
  const ahead = (target - now.getUTCDay() + 7) % 7
  const days = which === 'last' ? (ahead === 0 ? -7 : ahead - 7) : which === 'next' && ahead === 0 ? 7 : ahead
  date.setTime(now.getTime() + days * 86_400_000)
  date.setUTCHours(0, 0, 0, 0)
}
