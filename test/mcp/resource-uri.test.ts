import { expect, test } from 'vitest'
import { pathOf, uriOf } from '../../src/mcp/resource-uri.ts'
import { isWithin } from '../../src/sandbox/is-within.ts'

test.each(['/', '/work', '/work/a b', '/work/ä/{x}', '/work/50%', '/work/?#', "/work/it's(1)", '/work/...'])(
  'the address of %j names it again',
  (path) => {
    expect(pathOf(new URL(uriOf(path)))).toBe(path)
    expect(new URL(uriOf(path)).href).toBe(uriOf(path))
  },
)

test('a directory may end in a slash', () => {
  expect(pathOf(new URL('sandbox:///work/sub/'))).toBe('/work/sub')
})

test.each([
  'sandbox:///work/..%2ftmp',
  'sandbox:///work/%2e%2e%2ftmp',
  'sandbox:///work/.%2ftmp',
  'sandbox:///work//tmp',
  'sandbox:///work%2f%2ftmp',
  'sandbox:///work/a%00',
  'sandbox:///work/%ff',
  'sandbox:///work/a?b',
  'sandbox:///work/a#b',
  'sandbox://host/work',
  'sandbox:work',
  'file:///work',
])('%s names no path', (uri) => {
  expect(pathOf(new URL(uri))).toBeUndefined()
})

test('a path is within a directory, not within one whose name it begins with', () => {
  expect(isWithin('/work', '/work')).toBe(true)
  expect(isWithin('/work', '/work/a/b')).toBe(true)
  expect(isWithin('/', '/a')).toBe(true)
  expect(isWithin('/work', '/workshop')).toBe(false)
  expect(isWithin('/work', '/')).toBe(false)
  expect(isWithin('/work/a', '/work')).toBe(false)
})
