import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { aborted, closed, endOf, lost, printed, timedOut, until } from '../faults/helpers.ts'
import { sharedHost } from './helpers.ts'

async function openMany(host: ReturnType<typeof sharedHost>, count: number, config = {}) {
  return Promise.all(Array.from({ length: count }, () => host.open(config)))
}

describe('maxRunning', () => {
  it('bounds how many sandboxes run commands at once; all of them get their results', async () => {
    const host = sharedHost({ maxRunning: 2 })
    const sandboxes = await openMany(host, 6)
    const calls = sandboxes.map((sandbox, index) => sandbox.execute(`sleep 0.1; echo ${index}`))
    await until(() => host.stats().waiting === 4)
    expect(host.stats()).toMatchObject({ running: 2, waiting: 4 })
    expect(await Promise.all(calls)).toEqual(sandboxes.map((_, index) => printed(`${index}\n`)))
    expect(host.stats()).toMatchObject({ running: 0, waiting: 0 })
  })

  it('is fair: a sandbox with many commands delays another by a few of them only', async () => {
    const host = sharedHost({ maxRunning: 1 })
    const [greedy, modest] = await openMany(host, 2)
    const order: string[] = []
    const many = Array.from({ length: 40 }, async () => {
      await greedy?.execute('sleep 0.01')
      order.push('greedy')
    })
    const few = (async () => {
      for (let call = 0; call < 3; call++) await modest?.execute('true').then(() => order.push('modest'))
    })()
    await Promise.all([...many, few])
    expect(order.lastIndexOf('modest')).toBeLessThan(18)
  })

  it('keeps the calls of a sandbox in order, files among them', async () => {
    const host = sharedHost({ maxRunning: 1 })
    const [first, second] = await openMany(host, 2)
    const blocker = second?.execute('sleep 0.2')
    const calls = [
      first?.execute('echo one > /tmp/a'),
      first?.readText('/tmp/a'),
      first?.execute('echo two > /tmp/a'),
      first?.readText('/tmp/a'),
      first?.writeText('/tmp/a', 'three'),
      first?.execute('cat /tmp/a'),
    ]
    const [, one, , two, , three] = await Promise.all(calls)
    expect([one, two, three]).toEqual(['one\n', 'two\n', printed('three')])
    await blocker
  })

  it('counts the wait into a call’s timeout and signal, and not into the sandbox’s own timeout', async () => {
    const host = sharedHost({ maxRunning: 1 })
    const [busy, waits] = await openMany(host, 2, { timeout: 2 })
    const blocker = busy?.execute('sleep 1.5; sleep 0.4')
    await until(() => host.stats().running === 1)
    const abort = new AbortController()
    const ends = [
      endOf(waits?.execute('echo a', { timeout: 0.2 }) ?? Promise.resolve()),
      endOf(waits?.execute('echo b', { signal: abort.signal }) ?? Promise.resolve()),
    ]
    const patient = waits?.execute('sleep 1; echo c')
    await until(() => host.stats().waiting === 1)
    abort.abort()
    expect(await Promise.all(ends)).toEqual([timedOut, aborted])
    expect(await patient).toEqual(printed('c\n'))
    await blocker
    expect([waits?.status, waits?.generation]).toEqual(['open', 1])
  })

  it('a command that timed out holds its turn until it has ended', async () => {
    const host = sharedHost({ maxRunning: 1 })
    const [busy, waits] = await openMany(host, 2)
    const start = performance.now()
    expect(await endOf(busy?.execute('fault slow', { timeout: 0.1 }) ?? Promise.resolve())).toEqual(timedOut)
    expect(host.stats().running).toBe(1)
    expect(await waits?.execute('echo a')).toEqual(printed('a\n'))
    expect(performance.now() - start).toBeGreaterThan(390)
  })

  it('a turn is free again when its sandbox is closed, lost, or ignores its deadline', async () => {
    const host = sharedHost({ maxRunning: 1 })
    const directory = mkdtempSync(join(tmpdir(), 'command-limiter-'))
    onTestFinished(() => rmSync(directory, { recursive: true }))
    for (const [config, end] of [
      [{}, closed],
      [{ timeout: 0.3 }, lost('DEADLINE_IGNORED')],
    ] as const) {
      const begun = join(directory, end.code)
      const [busy, waits] = await openMany(host, 2, { ...config, env: { FAULT_MARKER: begun } })
      const hangs = endOf(busy?.execute('fault hang') ?? Promise.resolve())
      await until(() => existsSync(begun))
      const next = waits?.execute('echo a')
      if (end === closed) await busy?.close()
      expect(await hangs).toEqual(end)
      expect(await next).toEqual(printed('a\n'))
      expect(host.stats()).toMatchObject({ running: 0, waiting: 0 })
    }
    expect(host.stats().retired).toBe(2)
  })

  it('a sandbox that is closed while it waits leaves the line', async () => {
    const host = sharedHost({ maxRunning: 1 })
    const [busy, waits, last] = await openMany(host, 3)
    const blocker = busy?.execute('sleep 0.3')
    const never = endOf(waits?.execute('echo a') ?? Promise.resolve())
    const next = last?.execute('echo b')
    await until(() => host.stats().waiting === 2)
    await waits?.close()
    expect([await never, host.stats().waiting]).toEqual([closed, 1])
    expect(await next).toEqual(printed('b\n'))
    await blocker
  })
})
