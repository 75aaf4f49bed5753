import { describe, expect, it } from 'vitest'
import {
  conflictName,
  isPlainPath,
  isTemporaryName,
  temporaryName,
} from '../../../worker/host-files/names.ts'
import { parentOf } from '../../../worker/host-files/paths.ts'

describe('a conflict name', () => {
  it('has a suffix, with a number from the second on', () => {
    expect([conflictName('a.txt', 1), conflictName('a.txt', 2)]).toEqual([
      'a.txt.host-conflict',
      'a.txt.host-conflict-2',
    ])
  })

  it.each([
    ['a'.repeat(255), 1, 255],
    ['a'.repeat(242), 2, 255],
    ['é'.repeat(127), 1, 254],
    ['😀'.repeat(63), 12, 255],
  ])('fits in 255 bytes and is whole text: %#', (name, number, bytes) => {
    const cut = conflictName(name, number)
    expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(bytes)
    expect(Buffer.byteLength(cut)).toBeGreaterThan(bytes - 4)
    expect(cut.isWellFormed()).toBe(true)
  })
})

describe('a temporary name', () => {
  it('is recognised by its form, and is unique', () => {
    const names = Array.from({ length: 100 }, temporaryName)
    expect(names.every(isTemporaryName)).toBe(true)
    expect(new Set(names).size).toBe(100)
    expect(['.strands-shell-0.tmp', 'x.strands-shell-0123456789abcdef.tmp', 'a'].some(isTemporaryName)).toBe(
      false,
    )
  })
})

describe('a path relative to a bind', () => {
  it.each(['', 'a', 'a/b', '-rf', ' ', 'a\nb', '...', '.a'])('may be %j', (rel) => {
    expect(isPlainPath(rel)).toBe(true)
  })

  it.each(['/', '/a', 'a/', 'a//b', '.', '..', 'a/../b', 'a/.', 'a\0', '\ud800'])('may not be %j', (rel) => {
    expect(isPlainPath(rel)).toBe(false)
  })

  it('has a parent', () => {
    expect([parentOf('a/b/c'), parentOf('a'), parentOf('')]).toEqual(['a/b', '', ''])
  })
})
