import { effect } from '@preact/signals'
import { expect, onTestFinished, test, vi } from 'vitest'
import { ServiceClient } from '../../../page/service/service-client.ts'
import { SandboxList } from '../../../page/state/sandbox-list.ts'
import { Workspace } from '../../../page/state/workspace.ts'
import { executionOf, FakeService, sandboxOf } from './fake-service.ts'

const client = new ServiceClient('token')

/** A list that has been read, of a service with these sandboxes. */
async function listOf(service: FakeService) {
  const onRefused = vi.fn()
  const list = new SandboxList(client, onRefused)
  onTestFinished(() => list.close())
  await vi.waitFor(() => expect([list.isRead.value, service.open]).toEqual([true, 1]))
  return { list, onRefused, ids: () => [...list.sandboxes.value.keys()] }
}

function created(number: number, id: string) {
  const data = JSON.stringify({ kind: 'created', time: 1, id, sandbox: sandboxOf(id) })
  return { id: number, event: 'created', data }
}

test('a list follows the events behind what it has read', async () => {
  const service = new FakeService()
  service.sandboxes = [sandboxOf('a')]
  const { list, ids } = await listOf(service)
  const execution = executionOf('x', { sandbox: 'a', state: 'ended', exitCode: 3 })
  const memory = { bytes: 7, sandboxes: 2 }
  const ended = { kind: 'executionEnded', time: 5, id: 'a', execution, memory }
  service.tell(
    created(1, 'b'),
    { id: 2, event: 'executionEnded', data: JSON.stringify(ended) },
    { id: 3, event: 'removed', data: JSON.stringify({ kind: 'removed', time: 6, id: 'b' }) },
    created(4, 'c'),
  )
  await vi.waitFor(() => expect(ids()).toEqual(['a', 'c']))
  expect(list.sandboxes.value.get('a')).toMatchObject({
    lastUsedAt: 5,
    memory,
    lastCommand: { execution: 'x', state: 'ended', exitCode: 3 },
  })
  expect(service.reads).toBe(1)
})

test('a lost connection goes on behind the last event, and the list is not read again', async () => {
  const service = new FakeService()
  const { list, ids } = await listOf(service)
  service.tell(created(7, 'a'))
  await vi.waitFor(() => expect(ids()).toEqual(['a']))
  service.cut()
  await vi.waitFor(() => expect(list.connection.value).toBe('disconnected'))
  await vi.waitFor(() => expect([list.connection.value, service.open]).toEqual(['connected', 1]))
  service.tell(created(8, 'b'))
  await vi.waitFor(() => expect(ids()).toEqual(['a', 'b']))
  expect([service.connections, service.reads]).toEqual([[null, '7'], 1])
})

test('another process is read from its beginning: numbers of events are those of one process', async () => {
  const service = new FakeService()
  service.sandboxes = [sandboxOf('a')]
  const { list, ids } = await listOf(service)
  service.tell(created(7, 'b'))
  await vi.waitFor(() => expect(ids()).toEqual(['a', 'b']))
  service.instance = 'two'
  service.sandboxes = [sandboxOf('c')]
  service.cut()
  await vi.waitFor(() => expect(ids()).toEqual(['c']))
  await vi.waitFor(() => expect(service.open).toBe(1))
  service.cut()
  await vi.waitFor(() => expect(service.connections).toEqual([null, '7', null]))
  expect(list.connection.value).toBe('connected')
})

test('a gap has the list read again, and what happens meanwhile is taken into it', async () => {
  const service = new FakeService()
  service.sandboxes = [sandboxOf('a')]
  const { ids } = await listOf(service)
  let give = (): void => undefined
  service.listed = new Promise((resolve) => {
    give = resolve
  })
  service.sandboxes = [sandboxOf('a'), sandboxOf('b')]
  service.tell({ id: 90, event: 'gap', data: JSON.stringify({ kind: 'gap', time: 1, missed: 80 }) })
  await vi.waitFor(() => expect(service.reads).toBe(2))
  service.tell(created(91, 'c'))
  await vi.advanceTimersByTimeAsync(5_000)
  expect(ids()).toEqual(['a'])
  give()
  await vi.waitFor(() => expect(ids()).toEqual(['a', 'b', 'c']))
})

test('a token that is refused is told once, and nothing is asked again', async () => {
  const service = new FakeService()
  const { list, onRefused } = await listOf(service)
  service.refusal = { status: 401, code: 'UNAUTHORIZED' }
  service.cut()
  await vi.waitFor(() => expect(onRefused).toHaveBeenCalledTimes(1))
  const { length } = service.requests
  await vi.advanceTimersByTimeAsync(60_000)
  expect([service.requests.length, list.connection.value]).toEqual([length, 'disconnected'])
})

test('1,500 sandboxes are read by pages, and a thousand events at once change what is shown a few times', async () => {
  const service = new FakeService()
  service.sandboxes = Array.from({ length: 1500 }, (_, at) =>
    sandboxOf(`agent-${String(at).padStart(4, '0')}`),
  )
  const { list, ids } = await listOf(service)
  expect([ids().length, service.reads]).toEqual([1500, 2])
  let changes = 0
  onTestFinished(
    effect(() => {
      changes += list.sandboxes.value.size > 0 ? 1 : 0
    }),
  )
  for (let number = 1; number <= 1000; number += 1) service.tell(created(number, `new-${number}`))
  await vi.waitFor(() => expect(ids().length).toBe(2500))
  expect(changes).toBeLessThan(10)
})

test('a token that looks on operates nothing, and sees no figures', () => {
  new FakeService()
  const workspaceOf = (scopes: readonly ('read' | 'operate' | 'metrics')[]) => {
    const self = { name: 'me', scopes, labels: {}, templates: [], instance: 'one' }
    const workspace = new Workspace(client, self, () => undefined)
    onTestFinished(() => workspace.close())
    return [workspace.mayOperate, workspace.figures !== undefined]
  }
  expect([workspaceOf(['read']), workspaceOf(['read', 'operate']), workspaceOf(['read', 'metrics'])]).toEqual(
    [
      [false, false],
      [true, false],
      [false, true],
    ],
  )
})
