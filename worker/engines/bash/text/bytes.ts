/** Bytes that are no UTF-8 become characters of this range, and bytes again in `encode`. */
const RAW = 0xdc00

/** Text of bytes that are given as latin1. */
export function decode(latin1: string): string {
  const buffer = Buffer.from(latin1, 'latin1')
  const text = buffer.toString('utf8')
  return text.includes('\ufffd') ? decodeRaw(buffer) : text
}

function decodeRaw(buffer: Buffer): string {
  let text = ''
  let at = 0
  while (at < buffer.length) {
    const first = buffer[at] ?? 0
    const length =
      first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0
    const piece = buffer.toString('utf8', at, at + length)
    const whole = length > 0 && at + length <= buffer.length && Buffer.byteLength(piece) === length
    if (whole && Buffer.from(piece).equals(buffer.subarray(at, at + length))) {
      text += piece
      at += length
    } else {
      text += String.fromCharCode(RAW + first)
      at += 1
    }
  }
  return text
}

/** The bytes of a text as latin1. */
export function encode(text: string): string {
  return toBytes(text).toString('latin1')
}

export function toBytes(text: string): Buffer {
  if (!/(?<![\ud800-\udbff])[\udc80-\udcff]/.test(text)) return Buffer.from(text)
  const pieces = text.split(/((?<![\ud800-\udbff])[\udc80-\udcff])/)
  return Buffer.concat(
    pieces.map((piece, at) => (at % 2 === 1 ? Buffer.of(piece.charCodeAt(0) - RAW) : Buffer.from(piece))),
  )
}
