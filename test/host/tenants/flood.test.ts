import { expect, it } from 'vitest'
import type { ShellHost } from '../../../src/index.ts'
import { printed } from '../../faults/helpers.ts'
import { sharedHost } from '../helpers.ts'

/** What a tenant has done so far: counts. */
interface Done {
  closed: number
  commands: number
}

/** 200 openings at once, and 1,000 commands in them. */
async function flood(host: ShellHost, done: Done): Promise<void> {
  const agents = Array.from({ length: 200 }, async () => {
    const sandbox = await host.open({ labels: { tenant: 'flood' } })
    const commands = Array.from({ length: 5 }, async () => {
      await sandbox.execute('true')
      done.commands += 1
    })
    await Promise.all(commands)
    await sandbox.close()
    done.closed += 1
  })
  await Promise.all(agents)
}

it('a tenant that floods delays another by its share: a sandbox that leaves, and a turn of each that runs', async () => {
  const [maxSandboxes, maxRunning] = [60, 2]
  const host = sharedHost({ maxSandboxes, maxRunning, quotas: { label: 'tenant' } })
  const done: Done = { closed: 0, commands: 0 }
  const flooding = flood(host, done)
  const delays: { readonly opening: number; readonly command: number }[] = []
  for (let round = 0; round < 5; round++) {
    const before = { ...done }
    const sandbox = await host.open({ labels: { tenant: 'quiet' } })
    const opened = { ...done }
    expect(await sandbox.execute('echo a')).toEqual(printed('a\n'))
    delays.push({
      opening: opened.closed - before.closed,
      command: done.commands - opened.commands,
    })
    await sandbox.close()
  }
  // First come, first served it would be 140 sandboxes and 58 commands.
  expect(done.closed).toBeLessThan(150)
  expect(Math.max(...delays.map(({ opening }) => opening))).toBeLessThanOrEqual(40)
  expect(Math.max(...delays.map(({ command }) => command))).toBeLessThanOrEqual(8 * maxRunning)
  await flooding
  expect(done).toEqual({ closed: 200, commands: 1000 })
  expect(host.stats()).toMatchObject({ leased: 0, queued: 0, running: 0, waiting: 0, tenants: [] })
})
