import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MaskedOutput } from '../../src/service/masked-output.ts'
import { masked } from '../../src/session/masked.ts'
import { cases } from '../support/tier.ts'

const secret = 'a-secret-of-these-tests1'
// The second overlaps the first.
const secrets = [secret, 'tests1-and-more']
const parts = [
  secret,
  'tests1-and-more',
  '-and-more',
  Buffer.from(secret).toString('base64'),
  'plain text, and more of it. ',
  '\n',
]

test('output that comes in pieces is masked as the whole of it, however it is cut', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...parts)), fc.array(fc.nat(30)), (chosen, cuts) => {
      const text = chosen.join('')
      const output = new MaskedOutput(secrets)
      let shown = ''
      let at = 0
      for (const cut of [...cuts, text.length]) {
        shown += output.add(text.slice(at, at + cut))
        at += cut
      }
      expect(shown + output.end()).toBe(masked(text, secrets))
    }),
    { numRuns: cases(500) },
  )
})

test('output without secrets is shown at once', () => {
  expect(new MaskedOutput([]).add('x')).toBe('x')
})
