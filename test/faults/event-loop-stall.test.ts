import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { faultySandbox, makeHost, printed } from './helpers.ts'

const mebibyte = 2 ** 20

/** Blocks the main thread: no timer, no message, nothing. */
function stall(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}

describe('a main thread that is blocked for longer than the timeout and 2 s', () => {
  it('takes a delayed reply for a reply, not for DEADLINE_IGNORED', async () => {
    const { sandbox } = faultySandbox({ timeout: 2 })
    await sandbox.open()
    const calls = [sandbox.execute('sleep 0.05; echo quick'), sandbox.execute('echo behind')]
    stall(4400)
    expect(await Promise.all(calls)).toEqual([printed('quick\n'), printed('behind\n')])
    expect([sandbox.status, sandbox.generation]).toEqual(['open', 1])
  })

  it('with a long queue loses no call', async () => {
    const { sandbox } = faultySandbox({ timeout: 0.5 })
    await sandbox.open()
    const calls = Array.from({ length: 900 }, () => sandbox.execute('echo quick'))
    stall(2900)
    expect(await Promise.all(calls)).toEqual(calls.map(() => printed('quick\n')))
    expect(sandbox.generation).toBe(1)
  })
  it('takes a large reply of a cell for a reply', async () => {
    const host = makeHost({ isolation: 'process' })
    const sandbox = await host.open({ timeout: 2, limits: { maxOutput: 16 * mebibyte } })
    await sandbox.writeText('/tmp/large', 'x'.repeat(8 * mebibyte))
    const call = sandbox.execute('cat /tmp/large')
    await sleep(20) // The call is sent.
    stall(4200)
    expect((await call).stdout.length).toBe(8 * mebibyte)
    expect([sandbox.status, sandbox.generation]).toEqual(['open', 1])
  })
})

describe('a main thread that is blocked for longer than the timeout of a call', () => {
  it('takes a large reply of a cell that came meanwhile for a reply, not for TIMEOUT', async () => {
    const host = makeHost({ isolation: 'process' })
    const sandbox = await host.open({ limits: { maxOutput: 16 * mebibyte }, onInterrupt: 'reset' })
    await sandbox.writeText('/tmp/large', 'x'.repeat(8 * mebibyte))
    const call = sandbox.execute('cat /tmp/large', { timeout: 2 })
    await sleep(20) // The call is sent.
    stall(3000)
    expect((await call).stdout.length).toBe(8 * mebibyte)
    expect([sandbox.status, sandbox.generation]).toEqual(['open', 1])
  })
})
