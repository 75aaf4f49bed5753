import { usageError } from '../failure.ts'

const form = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?$/

/** A parser of a time, to milliseconds since the epoch. A date is its begin in UTC; a time without a zone is one of this machine. */
export function parseTime(option: string): (text: string) => number {
  return (text) => {
    const time = form.test(text) ? Date.parse(text) : Number.NaN
    if (!Number.isNaN(time)) return time
    throw usageError(
      `${option}: expected a time such as 2026-01-31 or 2026-01-31T12:00:00Z, but got ${JSON.stringify(text)}.`,
    )
  }
}
