/** Quotes of one text that bash reads fast. */
const MOST_PARTS = 1000

/** A word of a shell with exactly this text. */
export function quoted(text: string): string {
  const parts = text.split("'")
  // A word of many parts takes bash a time that grows with their square: 20 s for a MiB of them.
  if (parts.length > MOST_PARTS) return `"${text.replace(/[\\"$`]/g, '\\$&')}"`
  return `'${parts.join("'\\''")}'`
}
