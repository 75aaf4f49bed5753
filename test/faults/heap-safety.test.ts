import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ShellHost, StrandsShellSandbox } from '../../src/index.ts'
import { temporaryDirectory } from '../strands-shell/support/temporary.ts'
import { byTier } from '../support/tier.ts'
import { markedSandbox, newest, until, watchWorkers } from './helpers.ts'
import { endedWell, runChild } from './run-child.ts'

/** Twelve are one of each way, turn and command. */
const count = byTier({ default: 12, full: 240 })

describe('ending workers', () => {
  it.each(['worker', 'shared'])(
    `by closing, resetting and dropping ${count} sandboxes under native calls never harms the process (%s)`,
    async (isolation) => {
      expect(await runChild('heap-safety', [String(count), isolation], 55)).toEqual(
        endedWell(`gave up ${count}`),
      )
    },
  )

  it.each<
    readonly [string, (sandbox: StrandsShellSandbox, host: ShellHost, abort: AbortController) => unknown]
  >([
    ['sandbox that is closed', (sandbox) => sandbox.close()],
    ['sandbox that is reset by an abort', (_sandbox, _host, abort) => abort.abort()],
    ['host that closes', (_sandbox, host) => host.close()],
  ])(
    'never happens under a native call: a %s retires the worker until the call has settled',
    async (_, giveUp) => {
      const workers = watchWorkers()
      const { begun, sandbox, host } = markedSandbox({ onInterrupt: 'reset' })
      await sandbox.open()
      let ended = 0
      newest(workers).once('exit', () => {
        ended = performance.now()
      })
      const start = performance.now()
      const abort = new AbortController()
      const call = sandbox.execute('fault slow', { signal: abort.signal }).catch(() => undefined)
      await until(() => begun() === 'slow')
      await giveUp(sandbox, host, abort)
      expect(host.stats()).toMatchObject({ workers: 1, leased: 0, idle: 0, retired: 1 })
      await call
      await until(() => ended > 0)
      expect(ended - start).toBeGreaterThan(390)
      expect(host.stats().workers).toBe(0)
    },
  )

  it('is not delayed by a call after its worker was retired, which does not begin', async () => {
    const trigger = join(await temporaryDirectory(), 'trigger')
    const { begun, sandbox, host } = markedSandbox({ onInterrupt: 'reset', env: { FAULT_TRIGGER: trigger } })
    await sandbox.open()
    const calls = [sandbox.execute('fault hold'), sandbox.execute('fault hang')].map((call) =>
      call.catch(() => 'rejected'),
    )
    await until(() => existsSync(`${trigger}.held`))
    await host.close()
    expect(host.stats().retired).toBe(1)
    writeFileSync(trigger, 'release')
    expect(await Promise.all(calls)).toEqual(['rejected', 'rejected'])
    await until(() => host.stats().workers === 0)
    expect(begun()).toBe(undefined)
  })
})
