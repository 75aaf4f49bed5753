const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const DAY = 86_400_000

/**
 * The time that `ls` shows, in milliseconds since the epoch: to the minute, in UTC, for what is not older than half a year, else
 * to the day. 0 where it shows none.
 */
export function listedTime(shown: string, now = Date.now()): number {
  const [, name = '', day, hour, minute, year] =
    /^([A-Z][a-z]{2}) ([ \d]\d) (?:(\d\d):(\d\d)| (\d{4}))$/.exec(shown) ?? []
  const month = MONTHS.indexOf(name)
  if (month < 0) return 0
  if (year !== undefined) return Date.UTC(Number(year), month, Number(day))
  const thisYear = new Date(now).getUTCFullYear()
  const time = Date.UTC(thisYear, month, Number(day), Number(hour), Number(minute))
  // The clock may have moved on since: only what is well ahead is of the year before.
  return time > now + DAY ? Date.UTC(thisYear - 1, month, Number(day), Number(hour), Number(minute)) : time
}
