/**
 * The URL that a text is, or nothing. `URL.canParse` of Node 20 is wrong about letters like `ü` once it has been called often.
 *
 * @param base - what a relative text is taken from.
 */
export function parseUrl(text: string, base?: URL): URL | undefined {
  try {
    return new URL(text, base)
  } catch {
    // The text is no URL: that is the answer.
    return undefined
  }
}
