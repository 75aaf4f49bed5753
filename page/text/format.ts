import type { SandboxData } from '../../src/protocol/sandbox-schemas.ts'

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' })
const date = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })
const count = new Intl.NumberFormat()

/** How long ago something was, to ten seconds: `now`, `20 s`, `3 min`, `2 h`, `5 d`. */
export function ageOf(time: number, now: number): string {
  const seconds = Math.max(0, Math.round((now - time) / 1000))
  if (seconds < 10) return 'now'
  if (seconds < 60) return `${Math.floor(seconds / 10) * 10} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`
  return seconds < 86_400 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 86_400)} d`
}

/** A time of day. */
export function clockTime(time: number): string {
  return clock.format(time)
}

/** A day and a time of day. */
export function dateTime(time: number): string {
  return date.format(time)
}

/** A duration: `35 ms`, `1.4 s`, `2 min 5 s`. */
export function duration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(1)} s`
  return `${Math.floor(milliseconds / 60_000)} min ${Math.round((milliseconds % 60_000) / 1000)} s`
}

/** A size in bytes: `512 B`, `1.2 KiB`. */
export function bytes(size: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB']
  const unit = size < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(size) / 10))
  const value = size / 1024 ** unit
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`
}

/** What a sandbox's process holds in memory: `120.5 MiB, a process of 3 sandboxes`. */
export function memoryText({ bytes: size, sandboxes }: NonNullable<SandboxData['memory']>): string {
  return `${bytes(size)}, a process of ${sandboxes} ${sandboxes === 1 ? 'sandbox' : 'sandboxes'}`
}

/** A number with separators. */
export function number(value: number): string {
  return count.format(value)
}
