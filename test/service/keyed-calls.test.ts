import { expect, test } from 'vitest'
import { KeyedCalls } from '../../src/service/keyed-calls.ts'

const mebibyte = 2 ** 20

test('a call with a key begins once, and is forgotten when its time is over', () => {
  const calls = new KeyedCalls<object>(0)
  const first = {}
  expect(calls.once('k', 'd', () => first)).toEqual({ call: first, isNew: true })
  expect(calls.once('k', 'd', () => ({ other: true }))).toEqual({ call: first, isNew: false })
  calls.ended('k', 10)
  expect(calls.size).toBe(0)
  expect(calls.once('k', 'd', () => ({})).isNew).toBe(true)
})

test('a key is not that of another request', () => {
  const calls = new KeyedCalls<object>(60)
  calls.once('k', 'd', () => ({}))
  expect(() => calls.once('k', 'other', () => ({}))).toThrow(expect.objectContaining({ code: 'KEY_REUSED' }))
})

test('outcomes that take too much are dropped, and that their calls were made is not', () => {
  const calls = new KeyedCalls<object>(60)
  for (const key of ['a', 'b', 'c']) {
    calls.once(key, 'd', () => ({}))
    calls.ended(key, 30 * mebibyte)
  }
  expect(() => calls.once('a', 'd', () => ({}))).toThrow(expect.objectContaining({ code: 'RESULT_GONE' }))
  expect(calls.once('c', 'd', () => ({})).isNew).toBe(false)
})

test('a call that could not begin leaves its key free', () => {
  const calls = new KeyedCalls<object>(60)
  const fails = () => {
    throw new Error('no')
  }
  expect(() => calls.once('k', 'd', fails)).toThrow('no')
  expect(calls.once('k', 'd', () => ({})).isNew).toBe(true)
})

test('a call that never began leaves its key free', () => {
  const calls = new KeyedCalls<object>(60)
  calls.once('k', 'd', () => ({}))
  calls.neverBegan('k')
  expect(calls.once('k', 'other', () => ({})).isNew).toBe(true)
})

test('many calls with small outcomes keep them', () => {
  const calls = new KeyedCalls<object>(60)
  for (let number = 0; number < 350_000; number += 1) {
    calls.once(`${number}`, 'd', () => ({}))
    calls.ended(`${number}`, 10)
  }
  expect(calls.once('0', 'd', () => ({})).isNew).toBe(false)
})
