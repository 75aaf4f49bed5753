/**
 * Quotes a word for a POSIX shell: in single quotes, with each `'` of it as `'\''`, so that nothing in
 * it is expanded. Always quoted, as in the Strands SDK's `shellQuote`. Between CR and LF stands an empty quotation,
 * because Strands Shell reads CR LF as LF, in quotes too.
 *
 * @param value - Any text; a NUL character, which no shell word can hold, is the caller's to refuse.
 */
export function shellQuote(value: string): string {
  return `'${value.replaceAll("'", String.raw`'\''`).replaceAll('\r\n', "\r''\n")}'`
}
