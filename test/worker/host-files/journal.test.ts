import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Journal } from '../../../worker/host-files/journal.ts'

describe('Journal', () => {
  it.each([
    [['added'], 'added'],
    [['added', 'changed'], 'added'],
    [['added', 'removed'], undefined],
    [['added', 'removed', 'added'], 'added'],
    [['changed', 'changed'], 'changed'],
    [['changed', 'removed'], 'removed'],
    [['removed', 'added'], 'changed'],
    [['removed', 'added', 'removed'], 'removed'],
    [['removed', 'restored'], undefined],
    [['changed', 'removed', 'restored'], undefined],
    [['removed', 'restored', 'changed'], 'changed'],
    [['removed', 'restored', 'removed'], 'removed'],
  ] as const)('%j comes to %s', (changes, net) => {
    const journal = new Journal()
    for (const change of changes) journal.add('/w/a', 'file', change)
    expect(journal.since(0)).toEqual(net === undefined ? [] : [{ path: '/w/a', kind: 'file', change: net }])
  })

  it('tells since a mark what was restored after it as added', () => {
    const journal = new Journal()
    journal.add('/w/a', 'directory', 'removed')
    const mark = journal.mark()
    journal.add('/w/a', 'directory', 'restored')
    expect(journal.since(0)).toEqual([])
    expect(journal.since(mark)).toEqual([{ path: '/w/a', kind: 'directory', change: 'added' }])
  })

  it('sorts by path, and reports the last kind', () => {
    const journal = new Journal()
    journal.add('/b', 'file', 'removed')
    journal.add('/a', 'link', 'added')
    journal.add('/b', 'directory', 'added')
    expect(journal.since(0)).toEqual([
      { path: '/a', kind: 'link', change: 'added' },
      { path: '/b', kind: 'directory', change: 'changed' },
    ])
  })

  it('reports the same changes as a comparison of two lists, from any mark', () => {
    const steps = fc.array(fc.record({ path: fc.constantFrom('/a', '/b'), mark: fc.boolean() }), {
      maxLength: 20,
    })
    fc.assert(
      fc.property(steps, fc.array(fc.boolean(), { minLength: 20, maxLength: 20 }), (path, removals) => {
        const journal = new Journal()
        const there = new Map<string, number>()
        const marks = [{ mark: 0, there: new Map(there) }]
        for (const [index, step] of path.entries()) {
          const known = there.get(step.path)
          if (known !== undefined && removals[index]) {
            journal.add(step.path, 'file', 'removed')
            there.delete(step.path)
          } else {
            journal.add(step.path, 'file', known === undefined ? 'added' : 'changed')
            there.set(step.path, index)
          }
          if (step.mark) marks.push({ mark: journal.mark(), there: new Map(there) })
        }
        for (const { mark, there: before } of marks) {
          const expected = ['/a', '/b'].flatMap((each) => {
            const [old, now] = [before.get(each), there.get(each)]
            if (old === now) return []
            return [[each, old === undefined ? 'added' : now === undefined ? 'removed' : 'changed']]
          })
          expect(journal.since(mark).map(({ path: each, change }) => [each, change])).toEqual(expected)
        }
      }),
    )
  })
})
