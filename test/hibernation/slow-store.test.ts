import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { ShellHost, type SnapshotStore } from '../../src/index.ts'
import { until } from '../faults/helpers.ts'
import { MemoryStore } from '../support/memory-store.ts'

/** A store that takes a while to put. */
class SlowStore extends MemoryStore {
  putting = 0

  override async put(...given: Parameters<MemoryStore['put']>): Promise<void> {
    this.putting += 1
    await sleep(200)
    await super.put(...given).finally(() => {
      this.putting -= 1
    })
  }
}

function hostOf(store: SnapshotStore): ShellHost {
  const host = new ShellHost({ isolation: 'worker', hibernate: { store } })
  onTestFinished(() => host.close())
  return host
}

it('refuses the later one of two hosts that begin a session of the same id', async () => {
  const store = new MemoryStore()
  const [a, b] = await Promise.all(
    [hostOf(store), hostOf(store)].map((host) =>
      host.getOrOpen('id', { shell: 'bash', checkpoint: 'never' }),
    ),
  )
  expect(await a?.hibernate()).toBe(true)
  await expect(b?.hibernate()).rejects.toMatchObject({ code: 'STALE_FENCE' })
})

it('begins a session again that was deleted', async () => {
  const store = new MemoryStore()
  const host = hostOf(store)
  for (const number of [1, 2]) {
    const sandbox = await host.getOrOpen('id', { shell: 'bash', checkpoint: 'never' })
    expect([await sandbox.hibernate(), (await store.find('id'))?.fence]).toEqual([true, number])
    await sandbox.close()
  }
})

it('stores what a call has changed while the next one runs', async () => {
  const store = new SlowStore()
  const sandbox = await hostOf(store).getOrOpen('id', { shell: 'bash' })
  await until(() => store.done.length > 0)
  await sandbox.execute('echo before > /tmp/note')
  const running = sandbox.execute('sleep 5')
  running.catch(() => undefined)
  await until(async () => {
    const bytes = await (await store.get('id'))?.toBytes()
    return Buffer.from(bytes ?? []).includes('before\n')
  }, 4)
  await sandbox.close()
})

it('puts nothing more of a session that hibernates', async () => {
  const store = new SlowStore()
  const host = hostOf(store)
  const sandbox = await host.getOrOpen('id', { shell: 'bash' })
  for (let round = 0; round < 3; round += 1) {
    await sandbox.execute(`echo ${round} > /tmp/note`)
    expect([await sandbox.hibernate(), store.putting]).toEqual([true, 0])
  }
  await host.drain({ hibernate: true })
  expect(store.putting).toBe(0)
})
