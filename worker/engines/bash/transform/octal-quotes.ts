/** `$'…'` */
const QUOTE = /\$'(?:[^'\\]|\\[\s\S])*'/g

/** `$'\342\226\210'` with its bytes in hexadecimal: just-bash makes a character of each octal one. */
export function mendOctalQuotes(script: string): string {
  if (!script.includes("$'")) return script
  return script.replaceAll(QUOTE, (quote) =>
    quote.replaceAll(/\\([23][0-7]{2})|\\[\s\S]/g, (whole, octal: string | undefined) =>
      octal === undefined ? whole : `\\x${Number.parseInt(octal, 8).toString(16)}`,
    ),
  )
}
