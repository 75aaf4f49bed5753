import { queryObjects } from 'node:v8'
import { expect, it, vi } from 'vitest'
import { ShellHost } from '../../src/index.ts'
import { LeaseCalls } from '../../src/session/lease-calls.ts'
import { garbageCollector } from '../support/collector.ts'
import { threadLevels } from '../support/describe-engines.ts'

const gc = garbageCollector()

it.each(threadLevels)(
  "of closed sandboxes and lost ones nothing is left in the heap ('%s')",
  async (isolation) => {
    await using host = new ShellHost({ isolation })
    await openAndClose(host)
    const alive = () => {
      gc()
      return queryObjects(LeaseCalls, { format: 'count' })
    }
    await vi.waitFor(() => expect(alive()).toBeLessThan(3), { timeout: 60_000, interval: 200 })
  },
)

async function openAndClose(host: ShellHost): Promise<void> {
  for (let round = 0; round < 20; round++) {
    const sandbox = await host.open({ onInterrupt: 'reset', timeout: 1 })
    await sandbox.execute('echo a')
    if (round % 5 === 0) await sandbox.execute('sleep 0.3', { timeout: 0.05 }).catch(() => undefined)
    await sandbox.close()
  }
}
