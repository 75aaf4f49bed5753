/** The URL that a text is, or nothing. `URL.canParse` of Node 20 is wrong about letters like `ü` once it has been called often. */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    // The text is no URL: that is the answer.
    return undefined
  }
}
