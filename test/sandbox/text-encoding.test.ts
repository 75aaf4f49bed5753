import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createDecoder, encodeText } from '../../src/sandbox/text-encoding.ts'
import { codePoint } from '../support/code-point.ts'
import { refusalOf } from './refusal.ts'

const cannotHold = (what: string, encoding: string) => ({
  field: 'content',
  message: `content holds ${what}, which the encoding "${encoding}" does not have. Write "utf-8", or replace it.`,
})

describe('encodeText', () => {
  test.each([
    ['aé€😀', 'utf-8', [0x61, 0xc3, 0xa9, 0xe2, 0x82, 0xac, 0xf0, 0x9f, 0x98, 0x80]],
    ['aé', 'UTF8', [0x61, 0xc3, 0xa9]],
    ['a😀', 'utf-16le', [0x61, 0, 0x3d, 0xd8, 0, 0xde]],
    ['a😀', 'utf-16be', [0, 0x61, 0xd8, 0x3d, 0xde, 0]],
    ['aé', 'latin1', [0x61, 0xe9]],
    ['a~', 'ascii', [0x61, 0x7e]],
    ['a€', 'windows-1252', [0x61, 0x80]],
    ['д', 'koi8-r', [0xc4]],
    ['', 'ascii', []],
  ])('writes %j as %s', (text, encoding, bytes) => {
    expect([...encodeText(text, encoding)]).toEqual(bytes)
  })

  test.each([
    ['é', 'ascii', 'U+00E9'],
    ['€', 'latin1', 'U+20AC'],
    ['\u0080', 'latin1', 'U+0080'],
    ['a😀', 'windows-1252', 'U+1F600'],
    ['\ud83d', 'utf-8', 'half of a surrogate pair'],
    ['\ud83d', 'utf-16le', 'half of a surrogate pair'],
  ])('refuses to lose a character of %j in %s', (text, encoding, what) => {
    expect(refusalOf(() => encodeText(text, encoding))).toEqual(cannotHold(what, encoding))
  })

  test.each(['gbk', 'shift_jis', 'big5', 'iso-2022-jp'])('refuses to write %s', (encoding) => {
    expect(refusalOf(() => encodeText('a', encoding))).toEqual({
      field: 'encoding',
      message: `encoding "${encoding}" can be read but not written. Write "utf-8", or encode the text yourself and call writeFile.`,
    })
  })

  test.each(['utf-9', '', 'base64', 'hex'])('refuses the unknown encoding %j, both ways', (encoding) => {
    const refusal = {
      field: 'encoding',
      message: `encoding must be one that TextDecoder knows, such as "utf-8", but is "${encoding}" (a string).`,
    }
    expect(refusalOf(() => encodeText('a', encoding))).toEqual(refusal)
    expect(refusalOf(() => createDecoder(encoding))).toEqual(refusal)
  })

  test('decodes what it encoded to the same text, or refuses to encode it', () => {
    const encoding = fc.constantFrom(
      'utf-8',
      'utf-16le',
      'utf-16be',
      'latin1',
      'ascii',
      'windows-1251',
      'macintosh',
    )
    const text = fc.oneof(fc.string({ unit: 'binary-ascii' }), fc.string({ unit: codePoint }))
    fc.assert(
      fc.property(text, encoding, (content, label) => {
        fc.pre(!content.startsWith('\ufeff'))
        let bytes: Uint8Array
        try {
          bytes = encodeText(content, label)
        } catch {
          expect(refusalOf(() => encodeText(content, label)).field).toBe('content')
          return
        }
        expect(createDecoder(label).decode(bytes)).toBe(content)
      }),
    )
  })
})

describe('createDecoder', () => {
  test('reads windows-1252 as the standard says, and latin1 as a label of it', () => {
    const bytes = Uint8Array.of(0x80, 0x92, 0xe9)
    expect(['windows-1252', 'latin1'].map((label) => createDecoder(label).decode(bytes))).toEqual([
      '€’é',
      '€’é',
    ])
  })

  test('reads encodings that it does not write', () => {
    expect(createDecoder('shift_jis').decode(Uint8Array.of(0x82, 0xa0))).toBe('あ')
  })
})
