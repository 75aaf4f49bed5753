import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { isSnapshotObject, Refused, snapshot } from '../../src/config/snapshot.ts'
import { refusalOf } from '../sandbox/refusal.ts'

describe('snapshot', () => {
  test('copies plain data without sharing any of it', () => {
    const original = { list: [{ a: 1 }, null], text: 'x', none: undefined }
    const copy = snapshot(original)
    original.list.length = 0
    expect(copy).toEqual({ list: [{ a: 1 }, null], text: 'x', none: undefined })
    expect(isSnapshotObject(copy)).toBe(true)
  })

  test('reads every property once', () => {
    let reads = 0
    const original = {
      get a() {
        return { value: ++reads }
      },
    }
    expect([snapshot(original), reads]).toEqual([{ a: { value: 1 } }, 1])
  })

  test('keeps hostile keys as keys of their own', () => {
    const copy = snapshot(JSON.parse('{"__proto__":{"polluted":1},"constructor":2}'))
    expect(isSnapshotObject(copy) && Reflect.ownKeys(copy)).toEqual(['__proto__', 'constructor'])
    expect('polluted' in {}).toBe(false)
  })

  test('takes plain data of another realm, and objects without a prototype', () => {
    expect(snapshot(runInNewContext('({ a: [{ b: 1 }] })'))).toEqual({ a: [{ b: 1 }] })
    expect(snapshot(Object.assign(Object.create(null), { a: 1 }))).toEqual({ a: 1 })
  })

  const instance = 'an object that is not plain (an instance of a class)'
  const circular: { self?: unknown } = {}
  circular.self = circular
  const hole: unknown[] = [1]
  hole[2] = 3

  test.each([
    ['a Map', new Map(), instance],
    ['a date', new Date(), instance],
    ['an object that inherits', Object.create({ timeout: 1 }), instance],
    ['an array with a hole', hole, 'an array with a hole at index 1'],
    ['a vast empty array', new Array(2 ** 32 - 1), 'an array with a hole at index 0'],
    ['a symbol key', { [Symbol('x')]: 1 }, 'an object with a symbol as a key'],
  ])('puts a refusal in the place of %s', (_what, value, was) => {
    expect(snapshot({ here: value })).toEqual({ here: new Refused(was) })
  })

  test('ends at a depth that no config has', () => {
    expect(JSON.stringify(snapshot(circular))).toBe(
      `${'{"self":'.repeat(8)}{"was":"nested too deeply"}${'}'.repeat(8)}`,
    )
  })

  test('refuses what refers to itself in so many places that it has no end', () => {
    const web: unknown[] = []
    for (let index = 0; index < 60; index++) web.push(web)
    expect(refusalOf(() => snapshot({ env: web }))).toEqual({
      field: 'config',
      message: 'Invalid sandbox config: it holds more than 100000 values.',
    })
  })

  test('names the property that could not be read', () => {
    const original = {
      list: [
        {
          get bad(): never {
            throw new Error('boom')
          },
        },
      ],
    }
    expect(refusalOf(() => snapshot(original))).toEqual({
      field: 'list[0].bad',
      message: 'Invalid sandbox config: list[0].bad could not be read. Pass plain data.',
    })
  })

  test('refuses a revoked proxy', () => {
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    expect(refusalOf(() => snapshot({ env: proxy })).field).toBe('env')
  })
})
