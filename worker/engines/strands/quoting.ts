/**
 * A shell word with the literal value `text`, which holds no NUL. The engine reads CR LF as LF, in quotes too: an empty
 * quotation stands between them.
 */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`).replaceAll('\r\n', "\r''\n")}'`
}
