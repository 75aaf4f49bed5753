import type { CDPSession } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { processorTime } from '../../bench/processor-time.ts'
import { ShellHost } from '../../src/index.ts'
import { type SandboxRecord, serve } from '../../src/service/index.ts'
import { clientOf } from '../service/helpers.ts'
import { isFull } from '../support/tier.ts'
import { noBrowser, useBrowser } from './support.ts'

const token = 'the-token-of-an-operator'
const count = 1000
/** Sandboxes of them that run commands, and milliseconds between two commands of each. */
const busy = 10
const pause = 1000
const seconds = 20

describe.skipIf(!isFull || noBrowser !== undefined)('the page with 1,000 sandboxes', () => {
  const open = useBrowser()

  test('scrolls at 30 frames a second, and takes less than 5% of a core to look on', async () => {
    const host = new ShellHost({ isolation: 'shared' })
    onTestFinished(() => host.close())
    const service = await serve({ host, tokens: [{ token, name: 'operator' }], records: recordsOf(count) })
    onTestFinished(() => service.close({ grace: 0 }))
    const stop = keepBusy(clientOf(service, token))
    onTestFinished(stop)
    const { page } = await open(service, token)
    await page.getByRole('option').nth(20).waitFor()
    expect(await page.getByRole('option').count()).toBeLessThan(60)
    const session = await page.context().newCDPSession(page)
    await session.send('Performance.enable', { timeDomain: 'threadTicks' })

    // Whatever else this machine does takes frames, and gives none.
    const rates: number[] = []
    for (let round = 0; round < 3; round += 1) rates.push(Number(await page.evaluate(scrolling)))
    const framesPerSecond = Math.max(...rates)
    const before = { page: await taskTime(session), browser: browserTime(), at: performance.now() }
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
    const share = ((await taskTime(session)) - before.page) / seconds
    const whole = (browserTime() - before.browser) / ((performance.now() - before.at) / 1000)
    console.log(
      `${count} sandboxes, ${(busy * 1000) / pause} commands a second: ${framesPerSecond.toFixed(0)} frames a second of scrolling, ` +
        `${(share * 100).toFixed(1)}% of a core in the thread of the page to look on, ` +
        `${(whole * 100).toFixed(1)}% in all processes of the browser`,
    )
    expect(framesPerSecond).toBeGreaterThan(30)
    expect(share).toBeLessThan(0.05)
  }, 240_000)
})

/** Scrolls the list from its top to its end and back for five seconds. Gives frames a second. */
const scrolling = `new Promise((resolve) => {
  const list = document.querySelector('[role=listbox]')
  const start = performance.now()
  let frames = 0
  const step = (now) => {
    frames += 1
    const part = (now - start) / 2500
    list.scrollTop = (1 - Math.abs(1 - part)) * (list.scrollHeight - list.clientHeight)
    if (now - start < 5000) requestAnimationFrame(step)
    else resolve((frames * 1000) / (performance.now() - start))
  }
  requestAnimationFrame(step)
})`

/** Seconds of a processor that all processes of the browser took: page, compositor, network and the others. */
function browserTime(): number {
  return processorTime(undefined, 'chrom')
}

/** Seconds of a processor that the thread of a page took. */
async function taskTime(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN
}

/** Sandboxes that an earlier process left. */
function recordsOf(many: number) {
  const records = new Map<string, SandboxRecord>()
  for (let index = 0; index < many; index += 1) {
    const id = `agent-${String(index).padStart(4, '0')}`
    const labels = { tenant: `tenant-${index % 7}` }
    records.set(id, { id, template: 'default', labels, createdAt: Date.now() - index * 1000 })
  }
  return {
    put: async (record: SandboxRecord) => void records.set(record.id, record),
    delete: async (id: string) => void records.delete(id),
    get: async (id: string) => records.get(id),
    list: async () => [...records.values()],
  }
}

/** Has some sandboxes run commands. @returns how to stop */
function keepBusy(send: ReturnType<typeof clientOf>): () => Promise<void> {
  let isBusy = true
  const runs = Array.from({ length: busy }, async (_, index) => {
    while (isBusy) {
      await send('POST', `/v1/sandboxes/agent-000${index}/execute`, { command: 'seq 20' })
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  })
  return async () => {
    isBusy = false
    await Promise.all(runs)
  }
}
