import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CappedText } from '../../src/posix/capped-text.ts'
import { codePoint } from '../support/code-point.ts'

function read(bytes: Uint8Array, most: number, sizes: readonly number[] = []) {
  const pieces: string[] = []
  const text = new CappedText(most, (piece) => pieces.push(piece))
  let rest = Buffer.from(bytes)
  for (const size of sizes) {
    text.push(rest.subarray(0, size))
    rest = rest.subarray(size)
  }
  text.push(rest)
  text.finish()
  expect(pieces.join('')).toBe(text.text)
  expect(pieces.every((piece) => piece !== '' && piece.isWellFormed())).toBe(true)
  return { text: text.text, note: text.note('stdout') }
}

describe('capped text', () => {
  it('is all of the text below the cap, however it is cut into pieces', () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint }), fc.array(fc.nat(5)), (text, sizes) => {
        const bytes = Buffer.from(text)
        expect(read(bytes, Math.max(1, bytes.length), sizes)).toEqual({ text: bytes.toString(), note: '' })
      }),
    )
  })

  it('is a prefix above the cap, between characters, and says how long', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', minLength: 1 }),
        fc.nat(20),
        fc.array(fc.nat(5)),
        (text, cap, sizes) => {
          const bytes = Buffer.from(text)
          fc.pre(cap > 0 && cap < bytes.length)
          const { text: kept, note } = read(bytes, cap, sizes)
          expect(text.startsWith(kept)).toBe(true)
          const length = Buffer.byteLength(kept)
          expect(length).toBeGreaterThan(cap - 4)
          expect(note).toBe(
            `sandbox: stdout truncated: kept ${length} of ${bytes.length} bytes (maxOutput)\n`,
          )
        },
      ),
    )
  })

  it('keeps a byte order mark, and shows bytes that are no text', () => {
    expect(read(Buffer.from('\ufeffa'), 10).text).toBe('\ufeffa')
    expect(read(Buffer.from([0x61, 0xff, 0x62, 0xe2, 0x82]), 10).text).toBe('a\ufffdb\ufffd')
  })
})
