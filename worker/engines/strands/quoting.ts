/**
 * What stands in single quotes for a text that cannot. The engine reads CR LF as LF, in quotes too: an empty quotation
 * stands between them.
 */
const inQuotes = [
  ["'", `'\\''`],
  ['\r\n', "\r''\n"],
] as const

/** A shell word with the literal value `text`, which holds no NUL. */
export function quoted(text: string): string {
  return `'${inQuotes.reduce((word, [plain, instead]) => word.replaceAll(plain, instead), text)}'`
}

/** The same as a function of lua, by the name of `quote`. Its escapes and those of JSON are the same here. */
export const QUOTE_IN_LUA = `local function quote(word) return "'" .. word${inQuotes
  .map((pair) => `:gsub(${pair.map((text) => JSON.stringify(text)).join(', ')})`)
  .join('')} .. "'" end`
