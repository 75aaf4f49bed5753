import { expect, it } from 'vitest'
import { decodeText, looksBinary } from '../../../src/tools/output/binary.ts'

const bytes = (...values: number[]) => Uint8Array.from(values)

it('UTF-8 is text, with its byte order mark, colours and form feeds', () => {
  for (const text of ['', 'a\tb\r\n', '\ufeffé😀', '\u001b[31mred\u001b[0m', 'page\fpage']) {
    expect(decodeText(new TextEncoder().encode(text))).toEqual({ isText: true, text })
  }
})

it('what is no text says why', () => {
  expect(decodeText(bytes(0x61, 0x00))).toEqual({ isText: false, reason: 'holds a NUL byte at offset 1' })
  expect(decodeText(bytes(0x61, 0xe9))).toEqual({ isText: false, reason: 'is not valid UTF-8' })
  expect(decodeText(bytes(1, 2, 3, 0x61))).toEqual({ isText: false, reason: 'holds 3 control characters' })
})

it('a stray control character in a long text is no harm', () => {
  expect(decodeText(new TextEncoder().encode(`${'a'.repeat(100)}\u0001`))).toMatchObject({ isText: true })
})

it('output is judged by what its decoder left', () => {
  expect(['', 'a\n', `${'a'.repeat(100)}\ufffd`].map(looksBinary)).toEqual([false, false, false])
  expect(['\0', '\ufffd\ufffdab', '\u0001\u0002'].map(looksBinary)).toEqual([true, true, true])
})
