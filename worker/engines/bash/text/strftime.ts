const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
)

const two = (value: number) => String(value).padStart(2, '0')
const dayOfYear = (date: Date) =>
  Math.floor(
    (Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()) -
      Date.UTC(date.getUTCFullYear(), 0, 1)) /
      86_400_000,
  )

/** Year and number of the week by ISO 8601. */
function isoWeek(date: Date): readonly [year: number, week: number] {
  const thursday = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()))
  thursday.setUTCDate(thursday.getUTCDate() + 4 - (thursday.getUTCDay() || 7))
  return [thursday.getUTCFullYear(), Math.floor(dayOfYear(thursday) / 7) + 1]
}

const PARTS: Readonly<Record<string, (date: Date) => string>> = {
  Y: (date) => String(date.getUTCFullYear()),
  C: (date) => two(Math.floor(date.getUTCFullYear() / 100)),
  y: (date) => two(date.getUTCFullYear() % 100),
  m: (date) => two(date.getUTCMonth() + 1),
  d: (date) => two(date.getUTCDate()),
  e: (date) => String(date.getUTCDate()).padStart(2),
  H: (date) => two(date.getUTCHours()),
  k: (date) => String(date.getUTCHours()).padStart(2),
  I: (date) => two(date.getUTCHours() % 12 || 12),
  l: (date) => String(date.getUTCHours() % 12 || 12).padStart(2),
  M: (date) => two(date.getUTCMinutes()),
  S: (date) => two(date.getUTCSeconds()),
  p: (date) => (date.getUTCHours() < 12 ? 'AM' : 'PM'),
  P: (date) => (date.getUTCHours() < 12 ? 'am' : 'pm'),
  A: (date) => DAYS[date.getUTCDay()] ?? '',
  a: (date) => (DAYS[date.getUTCDay()] ?? '').slice(0, 3),
  B: (date) => MONTHS[date.getUTCMonth()] ?? '',
  b: (date) => (MONTHS[date.getUTCMonth()] ?? '').slice(0, 3),
  h: (date) => (MONTHS[date.getUTCMonth()] ?? '').slice(0, 3),
  j: (date) => String(dayOfYear(date) + 1).padStart(3, '0'),
  u: (date) => String(date.getUTCDay() || 7),
  w: (date) => String(date.getUTCDay()),
  U: (date) => two(Math.floor((dayOfYear(date) + 7 - date.getUTCDay()) / 7)),
  W: (date) => two(Math.floor((dayOfYear(date) + 7 - ((date.getUTCDay() + 6) % 7)) / 7)),
  G: (date) => String(isoWeek(date)[0]),
  g: (date) => two(isoWeek(date)[0] % 100),
  V: (date) => two(isoWeek(date)[1]),
  s: (date) => String(Math.floor(date.getTime() / 1000)),
  z: () => '+0000',
  Z: () => 'UTC',
  n: () => '\n',
  t: () => '\t',
  '%': () => '%',
}

const COMPOUND: Readonly<Record<string, string>> = {
  F: '%Y-%m-%d',
  T: '%H:%M:%S',
  R: '%H:%M',
  D: '%m/%d/%y',
  x: '%m/%d/%y',
  X: '%H:%M:%S',
  r: '%I:%M:%S %p',
  c: '%a %b %e %H:%M:%S %Y',
}

/** A date by a format of C, in UTC. What is not known stays as it is. */
export function strftime(format: string, date: Date): string {
  return format.replaceAll(/%(-?)([a-zA-Z%])/g, (text, dash: string, letter: string) => {
    const compound = COMPOUND[letter]
    if (compound !== undefined) return strftime(compound, date)
    const part = PARTS[letter]?.(date)
    if (part === undefined) return text
    return dash === '' ? part : part.replace(/^[0 ]+(?=.)/, '')
  })
}
