import { expect, it } from 'vitest'
import { createExclude } from '../../../worker/host-files/exclude.ts'

it.each([
  [[], [], 'a', false],
  [['*.log'], [], 'a/b.log', true],
  [['*.log'], [], 'a/B.LOG', false],
  [['build'], [], 'Build', false],
  [['/build'], [], 'build', true],
  [['/build'], [], 'a/build', false],
  [['node_modules/'], [], 'node_modules', false],
  [['node_modules/'], [], 'node_modules/a', true],
  [['*.log', '!keep.log'], [], 'keep.log', false],
  [['*'], [], '', false],
  [[], ['inner'], 'inner', true],
  [[], ['inner'], 'inner/a', true],
  [[], ['inner'], 'inner2', false],
  [['*.log'], ['inner'], 'inner/a', true],
] as const)('patterns %j and places %j: %j is out: %s', (patterns, inner, rel, isOut) => {
  expect(createExclude(patterns, inner)(rel, false)).toBe(isOut)
})

it('tells directories from files', () => {
  const isExcluded = createExclude(['cache/'], [])
  expect([isExcluded('cache', true), isExcluded('cache', false)]).toEqual([true, false])
})
