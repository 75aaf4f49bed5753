import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import { ShellHost } from '../../src/index.ts'
import { garbageCollector } from '../support/collector.ts'
import { noJails } from '../support/jail.ts'
import { isFull } from '../support/tier.ts'

const count = isFull ? 200 : 5

/** How many children this process has, those that have ended and wait to be reaped included. */
function children(): number {
  const isChild = (name: string) => {
    try {
      const [, parent] = /\) \S (\d+)/.exec(readFileSync(`/proc/${name}/stat`, 'utf8')) ?? []
      return Number(parent) === process.pid
    } catch {
      return false // It has ended.
    }
  }
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isChild(name)).length
}

describe.skipIf(noJails !== undefined)('many jails', () => {
  it(`${count} on one host keep their own state, and end with it`, async () => {
    const before = children()
    const host = new ShellHost({ maxSandboxes: count })
    const sandboxes = await Promise.all(
      Array.from({ length: count }, (_, at) => host.open({ shell: 'jail', env: { AT: String(at) } })),
    )
    await Promise.all(sandboxes.map((sandbox) => sandbox.execute('mine=$AT; echo $AT >/tmp/at')))
    const texts = await Promise.all(sandboxes.map((sandbox) => sandbox.execute('cat /tmp/at; echo $mine')))
    expect(texts.map(({ stdout }) => stdout)).toEqual(sandboxes.map((_, at) => `${at}\n${at}\n`))
    expect(children()).toBeGreaterThanOrEqual(before + count)
    await host.close()
    await vi.waitFor(() => expect(children()).toBeLessThanOrEqual(before), { timeout: 60_000 })
  }, 120_000)

  it('are collected when they are dropped', async () => {
    await using host = new ShellHost()
    const use = async () => (await (await host.open({ shell: 'jail' })).execute('echo used')).stdout
    expect(await use()).toBe('used\n')
    const collect = garbageCollector()
    const left = () => {
      collect()
      return host.stats().leased
    }
    await vi.waitFor(() => expect(left()).toBe(0), { timeout: 60_000, interval: 20 })
  })
})
