import { describe, expect, test } from 'vitest'
import { suggest } from '../../src/sandbox/suggest.ts'

describe('suggest', () => {
  const known = ['binds', 'allowedUrls', 'timeout', 'maxFds', 'env']

  test.each([
    ['timout', 'timeout'],
    ['bind', 'binds'],
    ['bidns', 'binds'],
    ['bnids', 'binds'],
    ['timeuot', 'timeout'],
    ['sdnib', undefined],
    ['allowed_urls', 'allowedUrls'],
    ['ALLOWEDURLS', 'allowedUrls'],
    ['max-fds', 'maxFds'],
    ['envs', 'env'],
    ['host', undefined],
    ['', undefined],
    ['cwd', undefined],
    ['x'.repeat(1_000_000), undefined],
  ])('for %.20s it is %s', (name, meant) => {
    expect(suggest(name, known)).toBe(meant)
  })
})
