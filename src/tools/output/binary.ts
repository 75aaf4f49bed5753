import { count } from './numbers.ts'

/** Of the characters of a text, at most this part may be control characters or U+FFFD. */
const MOST_STRAYS = 1 / 30

/** Control characters that texts have: backspace, tab, line breaks, form feed, escape. */
const usual: ReadonlySet<number> = new Set([0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1b])

const FIRST_PRINTABLE = 0x20
const DELETE = 0x7f
/** What a decoder puts in the place of bytes that are no text. */
const REPLACEMENT = 0xfffd

/** The text of a file's bytes, or why they are none. */
export type Decoded =
  | { readonly isText: true; readonly text: string }
  | { readonly isText: false; readonly reason: string }

/** Decodes UTF-8 and keeps a byte order mark, so that what is written back is what was read. */
export function decodeText(bytes: Uint8Array): Decoded {
  const nul = bytes.indexOf(0)
  if (nul !== -1) return { isText: false, reason: `holds a NUL byte at offset ${nul}` }
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    // The decoder says nothing but that.
    return { isText: false, reason: 'is not valid UTF-8' }
  }
  const found = countStrays(text)
  if (found > text.length * MOST_STRAYS) {
    return { isText: false, reason: `holds ${count(found, 'control character')}` }
  }
  return { isText: true, text }
}

/** Whether what a command printed is no text, as far as can be seen once it was decoded. */
export function looksBinary(text: string): boolean {
  return text.includes('\0') || countStrays(text) > text.length * MOST_STRAYS
}

function countStrays(text: string): number {
  let found = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code >= FIRST_PRINTABLE ? code === DELETE || code === REPLACEMENT : !usual.has(code)) found++
  }
  return found
}
