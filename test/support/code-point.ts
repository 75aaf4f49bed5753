import fc from 'fast-check'

const FIRST_SURROGATE = 0xd800
const AFTER_SURROGATES = 0xe000
const SURROGATES = AFTER_SURROGATES - FIRST_SURROGATE

/** Any code point of a text: fast-check's unit `'binary'`, for which each process makes a table of all of them in a second. */
export const codePoint: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: 0x10ffff - SURROGATES })
  .map(textOf, numberOf)

function textOf(number: number): string {
  return String.fromCodePoint(number < FIRST_SURROGATE ? number : number + SURROGATES)
}

/** @throws where it is not one code point: fast-check asks of any text */
function numberOf(text: unknown): number {
  const code = typeof text === 'string' ? (text.codePointAt(0) ?? FIRST_SURROGATE) : FIRST_SURROGATE
  if (code < FIRST_SURROGATE && text === String.fromCodePoint(code)) return code
  if (code >= AFTER_SURROGATES && text === String.fromCodePoint(code)) return code - SURROGATES
  throw new TypeError('This is no code point.')
}
