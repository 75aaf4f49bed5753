import { expect, onTestFinished, test, vi } from 'vitest'
import { ServiceClient } from '../../../page/service/service-client.ts'
import { SessionFeed } from '../../../page/state/session-feed.ts'
import { executionOf, FakeService } from './fake-service.ts'

/** A session whose terminal is open. */
async function feedOf(service: FakeService) {
  const feed = new SessionFeed(new ServiceClient('token'), 's')
  onTestFinished(() => feed.close())
  await open(service, 1)
  await vi.waitFor(() => expect([feed.reads.value, service.open]).toEqual([1, 1]))
  return feed
}

async function open(service: FakeService, count: number) {
  await vi.waitFor(() => expect(service.terminals.length).toBe(count))
  service.terminals.at(-1)?.accept()
  service.terminals.at(-1)?.tell({ type: 'ready', sandbox: 's', mayRun: true })
}

test('output is taken as it is written, its end is kept, and the end of a command has the last word', async () => {
  const service = new FakeService()
  const feed = await feedOf(service)
  const [terminal] = service.terminals
  terminal?.tell({ type: 'started', execution: executionOf('x') })
  for (const data of ['a'.repeat(20_000), 'end'])
    terminal?.tell({ type: 'output', execution: 'x', streamType: 'stdout', data })
  const [running] = feed.latest()
  expect([running?.stdout.length, running?.stdout.slice(-4), running?.cut]).toEqual([16_384, 'aend', true])
  terminal?.tell({ type: 'ended', execution: executionOf('x', { state: 'ended', stdout: 'whole' }) })
  await vi.waitFor(() => expect(feed.executions.value).toMatchObject([{ state: 'ended', stdout: 'whole' }]))
})

test('a lost terminal is opened again, and what ran meanwhile is read', async () => {
  const service = new FakeService()
  const feed = await feedOf(service)
  service.terminals[0]?.tell({ type: 'started', execution: executionOf('x') })
  service.terminals[0]?.close()
  await vi.waitFor(() => expect(feed.isLive.value).toBe(false))
  expect(feed.run('true')).toBe(false)
  service.executions = [
    executionOf('x', { state: 'ended' }),
    executionOf('y', { state: 'ended', startedAt: 1 }),
  ]
  await open(service, 2)
  await vi.waitFor(() =>
    expect([feed.isLive.value, feed.executions.value.map(({ id, state }) => `${id} ${state}`)]).toEqual([
      true,
      ['x ended', 'y ended'],
    ]),
  )
})

test('what a terminal tells is newer than what is read at the same time', async () => {
  const service = new FakeService()
  service.executions = [executionOf('x')]
  const feed = new SessionFeed(new ServiceClient('token'), 's')
  onTestFinished(() => feed.close())
  await open(service, 1)
  service.terminals[0]?.tell({ type: 'ended', execution: executionOf('x', { state: 'ended' }) })
  await vi.waitFor(() => expect(feed.reads.value).toBe(1))
  expect(feed.latest()).toMatchObject([{ id: 'x', state: 'ended' }])
})

test('events of a session go on behind the last one', async () => {
  const service = new FakeService()
  const feed = await feedOf(service)
  const opened = (number: number) => {
    const data = JSON.stringify({ kind: 'opened', time: number, id: 's', generation: 1 })
    return { id: number, event: 'opened', data }
  }
  service.tell(opened(3))
  await vi.waitFor(() => expect(feed.events.value.map(({ number }) => number)).toEqual([3]))
  service.cut()
  await vi.waitFor(() => expect([service.connections, service.open]).toEqual([['0', '3'], 1]))
  service.tell(opened(4))
  await vi.waitFor(() => expect(feed.events.value.map(({ number }) => number)).toEqual([3, 4]))
})
