import { expect, test } from 'vitest'
import { Feed } from '../../src/service/feed.ts'
import { isKeyOfTenant, tenantOf } from '../../src/service/tenant-ids.ts'
import { Timeline } from '../../src/service/timeline.ts'

const removed = (id: string) => ({ kind: 'removed' as const, time: 0, id })

test('events are told from behind a number, and how many are not there any more', () => {
  const feed = new Feed()
  for (let at = 1; at <= 20_001; at += 1) feed.add(removed(String(at)), {})
  expect(feed.last).toBe(20_001)
  expect(feed.after(20_000)).toMatchObject({ missed: 0, events: [{ number: 20_001, sandbox: '20001' }] })
  const { missed, events } = feed.after(5)
  expect([missed, events[0]?.number, events.length]).toEqual([9_996, 10_002, 10_000])
  expect(feed.after(20_001)).toEqual({ missed: 0, events: [] })
})

test('a timeline has the last hundred executions of a sandbox, each in its last state', () => {
  const timeline = new Timeline()
  const execution = (id: number, state: 'running' | 'ended') => ({
    ...{ id: String(id), sandbox: 's', by: 'me', command: 'true', startedAt: id, state },
    ...{ stdout: '', stderr: '', cut: false },
  })
  for (let id = 0; id < 150; id += 1) {
    timeline.put(execution(id, 'running'))
    timeline.put(execution(id, 'ended'))
  }
  expect(timeline.of('s').map(({ id }) => id)).toEqual(
    Array.from({ length: 100 }, (_, at) => String(at + 50)),
  )
  expect(timeline.get('s', '149')?.state).toBe('ended')
  timeline.forget('s')
  expect(timeline.of('s')).toEqual([])
})

test('events of a sandbox have the id that its tenant calls it, and the key for others', () => {
  const feed = new Feed()
  const tenant = tenantOf({ team: 'a' })
  feed.add(removed(`${tenant}work`), { team: 'a' })
  const [event] = feed.after(0).events
  const seenBy = (labels: Readonly<Record<string, string>>) =>
    JSON.parse(event?.jsonFor(tenantOf(labels)) ?? '').id
  expect([seenBy({ team: 'a' }), seenBy({}), seenBy({ team: 'a', user: 'u' })]).toEqual([
    'work',
    `${tenant}work`,
    `${tenant}work`,
  ])
  expect(isKeyOfTenant(`${tenant}work`)).toBe(true)
  expect(tenantOf({ b: '1', a: '2' })).toBe(tenantOf({ a: '2', b: '1' }))
})
