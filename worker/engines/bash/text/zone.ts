/** Minutes by which a zone is before UTC at a time; 0 for a zone that is not known, as in C. @param zone - as in TZ; undefined: UTC */
export function offsetOf(date: Date, zone: string | undefined): number {
  if (zone === undefined || /^:?(?:UTC0?|GMT0?)?$/.test(zone)) return 0
  try {
    const text = new Intl.DateTimeFormat('sv-SE', {
      timeZone: zone.replace(/^:/, ''),
      dateStyle: 'short',
      timeStyle: 'medium',
    }).format(date)
    return Math.round((Date.parse(`${text.replace(' ', 'T')}Z`) - date.getTime()) / 60_000)
  } catch (error) {
    if (error instanceof RangeError) return 0
    throw error
  }
}

/** The time at which clocks of a zone show what `local` shows in UTC. */
export function fromLocal(local: number, zone: string | undefined): number {
  const near = local - offsetOf(new Date(local), zone) * 60_000
  return local - offsetOf(new Date(near), zone) * 60_000
}

/** Locales that between them name most zones. */
const LOCALES = ['en-US', 'en-GB', 'en-AU', 'en-IN', 'ja-JP', 'en-ZA']

/** What `%Z` prints, such as `CET`, and `-03` for a zone without a name. @param zone - as in TZ; undefined: UTC */
export function zoneName(date: Date, zone: string | undefined): string {
  if (zone === undefined || /^:?(?:UTC0?)?$/.test(zone)) return 'UTC'
  const timeZone = zone.replace(/^:/, '')
  try {
    for (const locale of LOCALES) {
      const parts = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'short' }).formatToParts(date)
      const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
      if (/^[A-Z]{2,5}$/.test(name)) return name
    }
  } catch (error) {
    if (error instanceof RangeError) return /^[A-Za-z]+/.exec(timeZone)?.[0] ?? 'UTC'
    throw error
  }
  const minutes = offsetOf(date, zone)
  const two = (value: number) => String(value).padStart(2, '0')
  const size = Math.abs(minutes)
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}${size % 60 === 0 ? '' : two(size % 60)}`
}
