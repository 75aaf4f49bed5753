const BEGINS = /(?<!<)<<(-?)[ \t]*([A-Za-z_][\w-]*)(?![\w'"\\])/g

/** `$'…'` in a here-document is text, which just-bash reads as a quote: a backslash before the sign leaves it alone. */
export function maskHereDocQuotes(script: string): string {
  if (!script.includes("$'") || !script.includes('<<')) return script
  const lines = script.split('\n')
  for (let at = 0; at < lines.length; at += 1) {
    let from = at + 1
    for (const [, dash = '', word = ''] of (lines[at] ?? '').matchAll(BEGINS)) {
      const end = lines.findIndex(
        (line, index) => index >= from && (dash === '' ? line : line.replace(/^\t+/, '')) === word,
      )
      if (end < 0) break
      for (let inner = from; inner < end; inner += 1) lines[inner] = masked(lines[inner] ?? '')
      from = end + 1
    }
    at = from - 1
  }
  return lines.join('\n')
}

/** What is in a substitution is no text of the document. */
const masked = (line: string) => {
  const code = /\$\(|`/.exec(line)?.index ?? line.length
  return line.slice(0, code).replaceAll(/(?<!\\)\$'/g, () => "\\$'") + line.slice(code)
}
