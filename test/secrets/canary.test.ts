import { expect, it } from 'vitest'
import { CANARY, everythingSaidBy, tracesIn } from './support/canary.ts'

const bytes = Buffer.from(`ab${CANARY}cd`)

// The control of this folder: a search that finds nothing anywhere would pass every other test.
it.each<readonly [string, unknown]>([
  ['a text', `before ${CANARY} after`],
  ['a field', { a: [{ b: new Map([['c', { d: CANARY }]]) }] }],
  ['a field that is not listed', Object.defineProperty({}, 'token', { value: CANARY })],
  ['a field behind a symbol', { [Symbol('token')]: CANARY }],
  ['what a function of a prototype gives away', { toJSON: () => ({ token: CANARY }) }],
  ['the message of an error', new Error(`no ${CANARY}`)],
  ['the cause of a cause', new Error('a', { cause: new TypeError('b', { cause: new Error(CANARY) }) })],
  ['a field of an error', Object.assign(new Error('a'), { config: { token: CANARY } })],
  ['bytes', bytes],
  ['base64', bytes.toString('base64')],
  ['base64, one byte on', bytes.subarray(1).toString('base64')],
  ['base64, two bytes on', bytes.subarray(2).toString('base64url')],
  ['hexadecimal digits', bytes.toString('hex').toUpperCase()],
  ['capital letters', CANARY.toUpperCase()],
  ['its end', CANARY.slice(10)],
  ['the memory of a process', bytes.toString('latin1')],
])('the canary is found in %s', (_what, value) => {
  expect(tracesIn(everythingSaidBy(value))).not.toEqual([])
})

it('the canary is found in its own text and in no other', () => {
  expect(tracesIn(everythingSaidBy(['Bearer [secret]', 'canary', { token: 'of-the-suite' }]))).toEqual([])
})
