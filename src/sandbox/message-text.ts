/** Characters of the longest message of an error. */
const MOST_CHARACTERS = 8_000

/** Characters that a terminal or a log does not treat as text: control characters, changes of the writing direction, line ends. */
const acting = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** A message as it can be shown anywhere: cut when long, and with what is not text escaped; line breaks and tabs stay. */
export function messageText(text: string): string {
  return shown(text, (character) => (/[\n\t]/.test(character) ? character : escaped(character)))
}

/** The same of a message that somebody else wrote: on one line. */
export function foreignText(text: string): string {
  return shown(text, escaped)
}

function shown(text: string, replace: (character: string) => string): string {
  const safe = text.slice(0, MOST_CHARACTERS + 1).replaceAll(acting, replace)
  if (safe.length <= MOST_CHARACTERS) return safe
  return `${safe.slice(0, MOST_CHARACTERS).replace(/[\ud800-\udbff]$/, '')}…`
}

function escaped(character: string): string {
  if (character === '\n') return '\\n'
  return `\\u{${character.codePointAt(0)?.toString(16)}}`
}
