import fc from 'fast-check'
import { expect, it } from 'vitest'
import { combine, type Shown, StreamText } from '../../src/argv/output-text.ts'
import { cases } from '../support/tier.ts'

const piece = fc.oneof(
  fc.constantFrom('', ' ', '\n', '  \n', 'a', 'é💥', 'word '),
  fc.string({ maxLength: 5 }),
)
const stream = fc.array(piece, { maxLength: 8 })

it('gives the same text for any chunks as for the whole', () => {
  fc.assert(
    fc.property(stream, stream, fc.integer({ min: 1, max: 30 }), (out, err, limit) => {
      const expected = wholly(out.join(''), err.join(''), limit)
      expect(combine(fed(out, limit), fed(err, limit), limit)).toEqual(expected)
    }),
    { numRuns: cases(500) },
  )
})

function fed(pieces: readonly string[], limit: number): StreamText {
  const text = new StreamText(limit)
  for (const each of pieces) text.push(each)
  return text
}

function wholly(out: string, err: string, limit: number): Shown {
  const characters = [...(out + err).trim()]
  const left = characters.length - limit
  if (left <= 0) return { output: characters.join(''), truncated: false }
  return {
    output: `${characters.slice(0, limit).join('')}\n[truncated: showing first ${limit} of ${characters.length} chars]`,
    truncated: { characters: left },
  }
}
