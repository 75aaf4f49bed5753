import { expect, test } from 'vitest'
import { findToken, isClientName, resolveTokens } from '../../src/http/tokens.ts'

const [first, second] = ['a-token-of-the-first-client', 'a-token-of-the-second-one'] as const

test('one token is of no client, those of a list of numbered ones, those of an object of named ones', () => {
  const clientsOf = (token: unknown) => resolveTokens(token).map(({ client }) => client)
  expect(clientsOf(undefined)).toEqual([])
  expect(clientsOf(first)).toEqual([undefined])
  expect(clientsOf([first, second])).toEqual(['0', '1'])
  expect(clientsOf({ alice: first, 'bob@example.com': second })).toEqual(['alice', 'bob@example.com'])
})

test('a token is found whole, and nothing else is', () => {
  const tokens = resolveTokens({ alice: first, bob: second })
  expect(findToken(tokens, second)?.client).toBe('bob')
  for (const given of ['', first.slice(1), `${first}x`, first.toUpperCase(), 'alice']) {
    expect(findToken(tokens, given), given).toBeUndefined()
  }
})

test.each([
  ['', 'is a string of 0 characters'],
  [3, 'but is a number'],
  [[], 'is empty'],
  [{}, 'is empty'],
  [new Map(), 'but is an object'],
  [{ alice: 'short' }, 'number 1 is a string of 5 characters'],
  [{ alice: first, bob: undefined }, 'number 2 is undefined'],
  [{ 'a#2': first }, 'number 1 is no such name'],
  [{ '': first }, 'number 1 is no such name'],
  [{ 'a\nb': first }, 'number 1 is no such name'],
  [{ alice: first, bob: first }, 'numbers 1 and 2 are equal'],
  [[second, first, second], 'numbers 1 and 3 are equal'],
  [{ [first]: 'the name of whom it is for', [second]: 'x' }, 'number 1 is a string of 26 characters'],
])('%j is refused, and its message has neither token nor name', (token, message) => {
  let text = ''
  try {
    resolveTokens(token)
  } catch (error) {
    text = String(error)
    expect(error).toMatchObject({ code: 'INVALID_CONFIG', field: 'token' })
  }
  expect(text).toContain(message)
  for (const secret of [first, second, 'short', 'alice']) expect(text).not.toContain(secret)
})

test('a client is not called by what confuses a log', () => {
  expect(['alice', 'Zoë 2', 'auth0|7', 'x'.repeat(128)].filter((name) => !isClientName(name))).toEqual([])
  const odd = ['', 'a#1', 'a\nb', 'a\u2028b', 'a\u202eb', '\u001b[31m', 'x'.repeat(129), 3, null, undefined]
  expect(odd.filter(isClientName)).toEqual([])
})
