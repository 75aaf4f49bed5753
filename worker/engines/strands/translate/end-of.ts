import type { Command } from 'unbash'

/** Where a command ends; the bodies of its here-documents stand behind it. */
export function endOf({ name, args, redirects }: Command): number {
  const parts = [...(name === undefined ? [] : [name]), ...args]
  const ends = redirects.map((one) => (one.type === 'HereDoc' ? (one.delimiter?.end ?? one.end) : one.end))
  return Math.max(...parts.map(({ end }) => end), ...ends)
}
