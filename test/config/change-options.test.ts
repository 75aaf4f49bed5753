import { describe, expect, test } from 'vitest'
import { resolveApplyOptions, resolveChangesOptions } from '../../src/config/change-options.ts'
import { refusalOf } from '../sandbox/refusal.ts'

const { signal } = new AbortController()

describe('resolveChangesOptions', () => {
  test.each([
    [undefined, {}],
    [{}, {}],
    [{ since: undefined, timeout: undefined, signal: undefined }, {}],
    [
      { since: '7', timeout: 2, signal },
      { since: '7', timeout: 2, signal },
    ],
  ])('copies what is given and leaves out what is not (%#)', (options, resolved) => {
    expect(resolveChangesOptions(options)).toEqual(resolved)
  })

  test.each([
    [null, 'options', 'must be an object with since, timeout, signal, but is null.'],
    ['7', 'options', 'must be an object with since, timeout, signal, but is a string of 1 character.'],
    [{ sinse: '7' }, 'sinse', 'is no option. Did you mean since? Known here: since, timeout, signal.'],
    [
      new AbortController().signal,
      'options',
      'must be an object of options, but is an AbortSignal. Pass it as { signal }.',
    ],
    [{ bind: '/a' }, 'bind', 'is no option. Known here: since, timeout, signal.'],
    [{ since: 7 }, 'since', 'must be a string, but is a number.'],
    [{ since: '' }, 'since', 'must be the mark of an earlier report, but is empty.'],
    [
      { timeout: -1 },
      'timeout',
      'must be a positive number of seconds, at most 86400 (a day), but is -1 (a number). Leave it out for none.',
    ],
    [
      { signal: {} },
      'signal',
      'must be an AbortSignal, but is an object. Pass the signal of an AbortController.',
    ],
  ])('refuses what it cannot use (%#)', (options, field, problem) => {
    expect(refusalOf(() => resolveChangesOptions(options))).toEqual({ field, message: `${field} ${problem}` })
  })
})

describe('resolveApplyOptions', () => {
  test('copies the request and writes its paths in their one form', () => {
    const paths = ['/work/a', '/work//b/./c/', '/work']
    const resolved = resolveApplyOptions({ bind: '/work/', paths, timeout: 2, signal })
    paths.push('/work/d')
    expect(resolved).toEqual({
      request: { bind: '/work', paths: ['/work/a', '/work/b/c', '/work'] },
      limits: { timeout: 2, signal },
    })
  })

  test('tells no paths from an empty list of them', () => {
    expect(
      [{ bind: '/a' }, { bind: '/a', paths: undefined }, { bind: '/a', paths: [] }].map(
        (options) => resolveApplyOptions(options).request,
      ),
    ).toEqual([{ bind: '/a' }, { bind: '/a' }, { bind: '/a', paths: [] }])
  })

  test('reads each option once', () => {
    let reads = 0
    const options = {
      get bind() {
        return ++reads === 1 ? '/a' : '/etc'
      },
    }
    expect([resolveApplyOptions(options).request, reads]).toEqual([{ bind: '/a' }, 1])
  })

  const holed: unknown[] = []
  holed[1] = '/a/b'
  const form = 'must be an absolute path inside the sandbox, without "..", but is'
  test.each([
    [undefined, 'options', 'must be an object with bind, paths, timeout, signal, but is undefined.'],
    [{}, 'bind', 'must be a string, but is undefined.'],
    [{ bind: '' }, 'bind', 'must be a path, but is empty. Use "." for the current directory.'],
    [{ bind: 'a' }, 'bind', `${form} "a" (a string). Begin it with "/".`],
    [{ bind: '/a/..' }, 'bind', `${form} "/a/.." (a string). Begin it with "/".`],
    [{ bind: '/a\0' }, 'bind', 'must be text that a shell can take, but holds a NUL character at offset 2.'],
    [
      { bind: '/a', path: ['/a/b'] },
      'path',
      'is no option. Did you mean paths? Known here: bind, paths, timeout, signal.',
    ],
    [{ bind: '/a', paths: '/a/b' }, 'paths', 'must be an array of paths, but is a string of 4 characters.'],
    [{ bind: '/a', paths: ['/a/b', 1] }, 'paths[1]', 'must be a string, but is a number.'],
    [{ bind: '/a', paths: holed }, 'paths[0]', 'must be a string, but is undefined.'],
    [{ bind: '/a', paths: ['b'] }, 'paths[0]', `${form} "b" (a string). Begin it with "/".`],
    [{ bind: '/a', paths: ['/a/../b'] }, 'paths[0]', `${form} "/a/../b" (a string). Begin it with "/".`],
    [{ bind: '/a', paths: ['/ab'] }, 'paths[0]', 'must lie in the bind "/a", but is "/ab" (a string).'],
    [
      { bind: '/a', signal: 1 },
      'signal',
      'must be an AbortSignal, but is a number. Pass the signal of an AbortController.',
    ],
  ])('refuses what it cannot use (%#)', (options, field, problem) => {
    expect(refusalOf(() => resolveApplyOptions(options))).toEqual({ field, message: `${field} ${problem}` })
  })

  test('refuses options that cannot be read', () => {
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    expect(refusalOf(() => resolveApplyOptions(proxy))).toEqual({
      field: 'options',
      message: 'options could not be read. Pass plain data.',
    })
  })
})
