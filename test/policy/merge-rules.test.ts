import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { PolicyRules } from '../../src/contract/policy-rules.ts'
import { mergeRules } from '../../src/policy/merge-rules.ts'

it('refuses nothing where no rules do', () => {
  expect(mergeRules([])).toBe(undefined)
  expect(mergeRules([{}, {}])).toBe(undefined)
})

it('allows what each allows, and denies what one denies', () => {
  expect(
    mergeRules([{ allowed: ['ls', 'cat'] }, { denied: ['rm'] }, { allowed: ['cat'], denied: ['mv'] }]),
  ).toEqual({
    allowed: ['cat'],
    denied: ['rm', 'mv'],
  })
})

const paths = ['/', '/a', '/a/b', '/a/b/c', '/d', '/ab']
const somePaths = fc.subarray(paths)
const rules = fc.record({ protectedPaths: somePaths, writablePaths: somePaths })

it('lets a path be written where all rules do', () => {
  fc.assert(
    fc.property(fc.array(rules, { maxLength: 4 }), (all) => {
      const merged = mergeRules(all) ?? {}
      for (const path of [...paths, '/a/x', '/a/b/c/d', '/z']) {
        expect([path, isWritable(merged, path)]).toEqual([path, all.every((one) => isWritable(one, path))])
      }
    }),
  )
})

/** A slow reading of the same: the nearest directory that is named decides. */
function isWritable({ protectedPaths = [], writablePaths = [] }: PolicyRules, path: string): boolean {
  for (let at = path; ; at = at.slice(0, at.lastIndexOf('/')) || '/') {
    if (protectedPaths.includes(at)) return false
    if (writablePaths.includes(at)) return true
    if (at === '/') return true
  }
}
