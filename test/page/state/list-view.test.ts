import { signal } from '@preact/signals'
import { expect, test } from 'vitest'
import { ListView } from '../../../page/state/list-view.ts'
import { sandboxOf } from './fake-service.ts'

test('a list is searched, filtered and ordered', () => {
  const ran = (state: 'running' | 'ended', exitCode?: number) => ({
    execution: 'x',
    command: 'make all',
    state,
    exitCode,
  })
  const sandboxes = [
    sandboxOf('b', { createdAt: 1, lastUsedAt: 9, lastCommand: ran('running') }),
    sandboxOf('a', { createdAt: 2, labels: { team: 'Red' }, lastCommand: ran('ended', 2) }),
    sandboxOf('c', { createdAt: 3, status: 'stored' }),
  ]
  const view = new ListView(signal(new Map(sandboxes.map((one) => [one.id, one]))))
  const ids = () => view.rows.value.map(({ id }) => id)
  expect([ids(), view.counts.value]).toEqual([['c', 'a', 'b'], { all: 3, running: 1, failed: 1, away: 1 }])
  view.order.value = 'name'
  expect(ids()).toEqual(['a', 'b', 'c'])
  view.order.value = 'active'
  expect(ids()).toEqual(['b', 'c', 'a'])
  view.shown.value = 'failed'
  expect(ids()).toEqual(['a'])
  view.shown.value = 'all'
  view.query.value = ' MAKE team=red '
  expect([ids(), view.counts.value.all]).toEqual([['a'], 1])
})
