/** Bytes that are no UTF-8 become characters of U+DC80 to U+DCFF, and bytes again: `surrogateescape` of Python. */
const RAW = 0xdc00

/** Text of bytes. */
export function textOf(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const text = buffer.toString('utf8')
  return text.includes('\ufffd') ? textWithRaw(buffer) : text
}

/** Text of bytes that are given as latin1. */
export const decode = (latin1: string): string => textOf(Buffer.from(latin1, 'latin1'))

/** {@link decode} of what may be text already: characters above U+00FF are no bytes. */
export function textOfBytes(latin1: string): string {
  if (/^[\0-\x7f]*$/.test(latin1) || /[^\0-\xff]/.test(latin1)) return latin1
  return decode(latin1)
}

/** How many bytes the character has that begins there. @param latin1 - bytes. */
export function bytesAt(latin1: string, at: number): number {
  return lengthAt(Buffer.from(latin1.slice(at, at + 4), 'latin1'), 0) || 1
}

/** The bytes of a text as latin1. */
export const encode = (text: string): string => toBytes(text).toString('latin1')

/** The bytes of a text. */
export function toBytes(text: string): Buffer {
  return text.isWellFormed() ? Buffer.from(text) : bytesWithRaw(text)
}

/** A text that everybody can read: U+FFFD in place of bytes that are no UTF-8. */
export const readable = (text: string): string => (text.isWellFormed() ? text : toBytes(text).toString())

function textWithRaw(bytes: Uint8Array): string {
  const units = new Uint16Array(bytes.length)
  let size = 0
  let at = 0
  while (at < bytes.length) {
    const length = lengthAt(bytes, at)
    const code = length === 0 ? RAW + (bytes[at] ?? 0) : codeAt(bytes, at, length)
    if (code > 0xffff) units[size++] = 0xd800 + ((code - 0x10000) >> 10)
    units[size++] = code > 0xffff ? 0xdc00 + (code & 0x3ff) : code
    at += length === 0 ? 1 : length
  }
  return Buffer.from(units.buffer, 0, size * 2).toString('utf16le')
}

/** Bytes of the character of UTF-8 that begins there; 0 where none does. */
function lengthAt(bytes: Uint8Array, at: number): number {
  const [first = 0, second = 0] = [bytes[at], bytes[at + 1]]
  if (first < 0x80) return 1
  const length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0
  for (let next = 1; next < length; next += 1) if (((bytes[at + next] ?? 0) & 0xc0) !== 0x80) return 0
  const isTooLong = (first === 0xe0 && second < 0xa0) || (first === 0xf0 && second < 0x90)
  const isNone = (first === 0xed && second > 0x9f) || (first === 0xf4 && second > 0x8f)
  return isTooLong || isNone ? 0 : length
}

function codeAt(bytes: Uint8Array, at: number, length: number): number {
  const first = bytes[at] ?? 0
  if (length === 1) return first
  let code = first & (0x7f >> length)
  for (let next = 1; next < length; next += 1) code = (code << 6) | ((bytes[at + next] ?? 0) & 0x3f)
  return code
}

function bytesWithRaw(text: string): Buffer {
  const bytes = Buffer.alloc(text.length * 3)
  let size = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code < 0x80) bytes[size++] = code
    else if (code >= RAW + 0x80 && code <= RAW + 0xff) bytes[size++] = code - RAW
    else {
      const character = String.fromCodePoint(text.codePointAt(at) ?? 0)
      size += bytes.write(character, size)
      at += character.length - 1
    }
  }
  return bytes.subarray(0, size)
}
