import { describe, expect, test } from 'vitest'
import { parseBind } from '../../../src/cli/options/parse-bind.ts'

describe('parseBind', () => {
  test.each([
    ['src:/work', { source: 'src', destination: '/work' }],
    ['./src:/work:copy', { source: './src', destination: '/work', mode: 'copy' }],
    ['/src:/work:direct', { source: '/src', destination: '/work', mode: 'direct' }],
    ['src:/work:ro', { source: 'src', destination: '/work', readonly: true }],
    ['src:/work:copy:ro', { source: 'src', destination: '/work', mode: 'copy', readonly: true }],
    ['src:/work:ro:direct', { source: 'src', destination: '/work', mode: 'direct', readonly: true }],
    ['src:/work:passthrough', { source: 'src', destination: '/work', mode: 'passthrough' }],
    ['passthrough:/direct', { source: 'passthrough', destination: '/direct' }],
    ['a:b:/work', { source: 'a:b', destination: '/work' }],
    ['a:/b:/work:copy', { source: 'a:/b', destination: '/work', mode: 'copy' }],
    ['ro:/copy', { source: 'ro', destination: '/copy' }],
    ['copy:/ro:ro', { source: 'copy', destination: '/ro', readonly: true }],
    [' a b :/w x', { source: ' a b ', destination: '/w x' }],
  ])('reads %j', (spec, bind) => {
    expect(parseBind(spec)).toEqual(bind)
  })

  test.each([
    ['', '"" has no destination'],
    ['src', '"src" has no destination'],
    ['src:copy', '"src" has no destination'],
    ['src:copy:ro', '"src" has no destination'],
    [':/work', 'the source of ":/work" is empty'],
    ['src:', 'the destination of "src:" is empty'],
    ['src::ro', 'the destination of "src::ro" is empty'],
    [
      'src:work',
      '"work" is neither a destination, which begins with "/", nor one of copy, direct, passthrough and ro',
    ],
    [
      'src:/work:rw',
      '"rw" is neither a destination, which begins with "/", nor one of copy, direct, passthrough and ro',
    ],
    ['src:/work:ro:ro', '"src:/work:ro:ro" has "ro" twice'],
    ['src:/work:copy:direct', '"src:/work:copy:direct" has more than one of copy, direct and passthrough'],
    [
      'src:/work:constructor',
      '"constructor" is neither a destination, which begins with "/", nor one of copy, direct, passthrough and ro',
    ],
    [
      'src:/work:copy:passthrough',
      '"src:/work:copy:passthrough" has more than one of copy, direct and passthrough',
    ],
    ['src:/work:copy:ro:copy', '"src:/work:copy:ro:copy" has more than one of copy, direct and passthrough'],
  ])('refuses %j and shows the form', (spec, problem) => {
    expect(() => parseBind(spec)).toThrow(
      expect.objectContaining({
        exitCode: 2,
        message: `--bind: expected SRC:DST[:copy|direct|passthrough][:ro], as in ./src:/work/src:copy, but ${problem}.`,
      }),
    )
  })
})
