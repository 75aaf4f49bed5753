/** The content of a file in a line of JSON. */
export type Content = string | { readonly base64: string }

/** Text where it is text, base64 where not. */
export function contentOf(bytes: Uint8Array): Content {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const text = buffer.toString('utf8')
  return Buffer.from(text).equals(buffer) ? text : { base64: buffer.toString('base64') }
}
