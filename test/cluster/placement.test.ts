import { expect, test } from 'vitest'
import { Placement } from '../../src/cluster/placement.ts'
import type { NodeInfo } from '../../src/cluster/registry.ts'

const none = new Set<string>()

function node(instance: string, fields: Partial<NodeInfo> = {}): NodeInfo {
  return { instance, url: 'http://node', labels: {}, sessions: 0, jobs: 0, draining: false, ...fields }
}

test('openings at once are spread before Redis has counted one of them', () => {
  const placement = new Placement()
  const nodes = [node('a'), node('b'), node('c')]
  const chosen = Array.from({ length: 9 }, () => placement.begin(nodes, {}, none)?.instance)
  expect(chosen.sort()).toEqual(['a', 'a', 'a', 'b', 'b', 'b', 'c', 'c', 'c'])
})

test('an opening that has ended counts no more', () => {
  const placement = new Placement()
  const [a, b] = [node('a'), node('b', { sessions: 2 })]
  for (let n = 0; n < 5; n += 1) {
    expect(placement.begin([a, b], {}, none)).toBe(a)
    placement.ended(a)
  }
})

test('a node is chosen by its labels, unless it takes none or could not be reached', () => {
  const placement = new Placement()
  const [a, b] = [node('a', { labels: { zone: 'a' } }), node('b', { labels: { zone: 'b' } })]
  expect(placement.begin([a, b], { zone: 'b' }, none)).toBe(b)
  expect(placement.begin([a, b], { zone: 'c' }, none)).toBeUndefined()
  expect(placement.begin([{ ...a, draining: true }, b], {}, none)).toBe(b)
  expect(placement.begin([a, b], {}, new Set(['b']))).toBe(a)
  expect(placement.begin([a, b], {}, new Set(['a', 'b']))).toBeDefined()
})
