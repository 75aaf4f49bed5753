/** How deep objects and arrays of a message may be nested. */
export const MAX_DEPTH = 500

/** How many values a message may have: it bounds the memory that a short message takes once it is read. */
export const MAX_VALUES = 4 * 1024 ** 2

/**
 * Says which bound a JSON text exceeds, before anything is made of it. Text that is not JSON may pass.
 *
 * @returns undefined where it exceeds none.
 */
export function exceededBound(json: string): string | undefined {
  if (json.length <= MAX_DEPTH) return undefined
  let depth = 0
  let values = 1
  for (let at = 0; at < json.length; at++) {
    switch (json.charCodeAt(at)) {
      case code.quote:
        at = endOfString(json, at)
        break
      case code.openBracket:
      case code.openBrace:
        values += 1
        if (++depth > MAX_DEPTH) return `is nested deeper than ${MAX_DEPTH} levels`
        break
      case code.closeBracket:
      case code.closeBrace:
        depth -= 1
        break
      case code.comma:
        values += 1
    }
    if (values > MAX_VALUES) return `has more than ${MAX_VALUES} values`
  }
  return undefined
}

/** The JSON characters that count, as `charCodeAt` gives them. */
const code = {
  quote: 0x22,
  comma: 0x2c,
  openBracket: 0x5b,
  backslash: 0x5c,
  closeBracket: 0x5d,
  openBrace: 0x7b,
  closeBrace: 0x7d,
} as const

/** Where the string that begins at `start` has its closing quote; the end of the text where it has none. */
function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let backslashes = 0
    while (json.charCodeAt(end - 1 - backslashes) === code.backslash) backslashes += 1
    if (backslashes % 2 === 0) return end
  }
  return json.length
}
