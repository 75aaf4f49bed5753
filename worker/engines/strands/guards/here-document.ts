/** A here-document that waits for its body. */
export interface HereDocument {
  readonly delimiter: string
  /** A quoted delimiter: the body is literal. */
  readonly quoted: boolean
  /** `<<-`: leading tabs do not count. */
  readonly tabs: boolean
}

/** Reads the delimiter word; null where its meaning is not certain (expansions, odd quoting). */
export function parseDelimiter(raw: string, tabs: boolean): HereDocument | null {
  const bare = /^[^\s'"\\$`]+$/.exec(raw)
  if (bare) return { delimiter: raw, quoted: false, tabs }
  const quoted = /^(?:'([^'\s]+)'|"([^"\\$`\s]+)"|\\([^'"\\$`\s]+))$/.exec(raw)
  const delimiter = quoted?.[1] ?? quoted?.[2] ?? quoted?.[3]
  return delimiter === undefined ? null : { delimiter, quoted: true, tabs }
}

/**
 * Passes over a body that begins at `from` and returns the index after its delimiter's line.
 *
 * @param continuation hears of each backslash and line break to remove, unless the body is literal.
 */
export function skipBody(
  text: string,
  from: number,
  { delimiter, quoted, tabs }: HereDocument,
  continuation: (at: number) => void,
): number {
  let at = from
  let joined = false
  while (at < text.length) {
    const newline = text.indexOf('\n', at)
    const end = newline < 0 ? text.length : newline
    if (!joined && isDelimiter(text, at, end, delimiter, tabs)) return Math.min(end + 1, text.length)
    joined = !quoted && newline >= 0 && endsInBackslash(text, at, end)
    if (joined) continuation(end - 1)
    at = end + 1
  }
  return text.length
}

function isDelimiter(text: string, from: number, end: number, delimiter: string, tabs: boolean): boolean {
  let start = from
  while (tabs && text[start] === '\t' && start < end) start++
  return end - start === delimiter.length && text.startsWith(delimiter, start)
}

/** True if an odd number of backslashes ends the line. */
function endsInBackslash(text: string, from: number, end: number): boolean {
  let start = end
  while (start > from && text[start - 1] === '\\') start--
  return (end - start) % 2 === 1
}
