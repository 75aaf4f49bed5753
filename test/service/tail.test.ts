import { expect, test } from 'vitest'
import { Tail } from '../../src/service/tail.ts'

const kept = 16_384
const secret = 'a-secret-of-these-tests1'

test('a tail has the last characters, and says that there were more', () => {
  const tail = new Tail()
  tail.add('x')
  expect([tail.text, tail.isCut]).toEqual(['x', false])
  tail.add('y'.repeat(kept))
  expect([tail.text, tail.isCut]).toEqual(['y'.repeat(kept), true])
})

test('a tail shows no part of a secret, wherever it is cut', () => {
  for (let behind = kept - secret.length - 2; behind <= kept + 2; behind += 1) {
    for (const pieces of [1, 2]) {
      const text = `first ${secret}${'.'.repeat(behind)}`
      const tail = new Tail([secret])
      const half = pieces === 1 ? text.length : 16
      tail.add(text.slice(0, half))
      tail.add(text.slice(half))
      tail.end()
      expect([behind, tail.text.replace(/^[first ]*\*{0,3}/, '')]).toEqual([
        behind,
        '.'.repeat(Math.min(behind, kept)),
      ])
    }
  }
})
