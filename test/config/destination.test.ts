import { describe, expect, test } from 'vitest'
import { isDestination, normalizeDestination } from '../../src/config/destination.ts'

describe('isDestination', () => {
  test.each(['/', '/a', '/a/b/', '//a', '/a/./b', '/..a/b..', '/é '])('accepts %j', (path) => {
    expect(isDestination(path)).toBe(true)
  })

  test.each(['', 'a', './a', '../a', '/..', '/a/../b', '/a/..', '~/a', 'C:\\a', '\\a'])(
    'refuses %j',
    (path) => {
      expect(isDestination(path)).toBe(false)
    },
  )
})

describe('normalizeDestination', () => {
  test.each([
    ['/', '/'],
    ['//', '/'],
    ['/a/', '/a'],
    ['//a///b//', '/a/b'],
    ['/a/./b/.', '/a/b'],
  ])('writes %j as %j', (path, normal) => {
    expect(normalizeDestination(path)).toBe(normal)
  })
})
