import { TextDecoder } from 'node:util'
import { SandboxConfigError } from './errors.ts'
import { quote, showValue } from './show-value.ts'

/** The last code point of labels whose WHATWG encoding, windows-1252, holds more than the label says. */
const narrowLabels: Readonly<Record<string, number>> = {
  ascii: 0x7f,
  'us-ascii': 0x7f,
  latin1: 0xff,
  'iso-8859-1': 0xff,
  'iso8859-1': 0xff,
}

const singleByte = /^(?:windows-\d+|iso-8859-\d+(?:-i)?|koi8-[ru]|ibm866|macintosh|x-mac-cyrillic)$/

/** Bytes to text, for one encoding. */
export interface Decoder {
  /** The encoding's own name, such as `windows-1252` for the label `latin1`. */
  readonly encoding: string
  decode(bytes: Uint8Array): string
}

/**
 * Makes a decoder. A byte order mark is dropped and what is no text becomes U+FFFD, as in the Strands
 * SDK's `readText`.
 *
 * @param label - Any label `TextDecoder` knows.
 * @throws SandboxConfigError with the field `encoding` for any other.
 */
export function createDecoder(label: string): Decoder {
  const decoder = textDecoder(label)
  const { encoding } = decoder
  if (encoding !== 'windows-1252') return decoder
  // Node 20 decodes windows-1252 as ISO-8859-1, except as a stream.
  return { encoding, decode: (bytes) => decoder.decode(bytes, { stream: true }) + decoder.decode() }
}

function textDecoder(label: string): TextDecoder {
  try {
    return new TextDecoder(label)
  } catch (cause) {
    throw new SandboxConfigError(
      `encoding must be one that TextDecoder knows, such as "utf-8", but is ${showValue(label)}.`,
      { field: 'encoding', cause },
    )
  }
}

/**
 * Encodes text so that {@link createDecoder} of the same label reads it back: UTF-8, UTF-16 and every
 * encoding of one byte a character.
 *
 * @throws SandboxConfigError with the field `encoding` for other encodings, or `content` when the text
 *   holds a character that the encoding does not have.
 */
export function encodeText(text: string, encoding: string): Uint8Array {
  const decoder = createDecoder(encoding)
  if (typeof text !== 'string') {
    throw new SandboxConfigError(`content must be a string, but is ${showValue(text)}.`, { field: 'content' })
  }
  if (!text.isWellFormed()) throw unencodable('half of a surrogate pair', encoding)
  switch (decoder.encoding) {
    case 'utf-8':
      return new TextEncoder().encode(text)
    case 'utf-16le':
      return new Uint8Array(Buffer.from(text, 'utf16le'))
    case 'utf-16be':
      return new Uint8Array(Buffer.from(text, 'utf16le').swap16())
  }
  if (!singleByte.test(decoder.encoding)) {
    throw new SandboxConfigError(
      `encoding ${quote(encoding)} can be read but not written. Write "utf-8", or encode the text yourself and call writeFile.`,
      { field: 'encoding' },
    )
  }
  return encodeSingleBytes(text, encoding, decoder)
}

function encodeSingleBytes(text: string, encoding: string, decoder: Decoder): Uint8Array {
  const table = singleByteTable(decoder)
  const last = narrowLabels[encoding.trim().toLowerCase()] ?? 0x10ffff
  const bytes = new Uint8Array(text.length)
  let length = 0
  for (const character of text) {
    const byte = table.get(character)
    const codePoint = character.codePointAt(0) ?? 0
    if (byte === undefined || codePoint > last) {
      throw unencodable(`U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`, encoding)
    }
    bytes[length++] = byte
  }
  return bytes
}

function singleByteTable(decoder: Decoder): ReadonlyMap<string, number> {
  const table = new Map<string, number>()
  for (let byte = 0; byte < 256; byte++) {
    const character = decoder.decode(Uint8Array.of(byte))
    if (character !== '\ufffd') table.set(character, byte)
  }
  return table
}

function unencodable(what: string, encoding: string): SandboxConfigError {
  return new SandboxConfigError(
    `content holds ${what}, which the encoding ${quote(encoding)} does not have. Write "utf-8", or replace it.`,
    { field: 'content' },
  )
}
