import { describe, expect, it } from 'vitest'
import { StrandsShellSandbox } from '../../src/index.ts'
import { silentPipe } from '../support/silent-pipe.ts'
import { durationOf, endOf, faultySandbox, lost, makeHost, printed, until, within } from './helpers.ts'

describe.concurrent('an engine that ignores its deadline', () => {
  it('with a promise that never settles is a lost session after the timeout and 2 s', async ({
    onTestFinished,
  }) => {
    const { sandbox, host } = faultySandbox({ timeout: 1 }, onTestFinished)
    await sandbox.open()
    const calls = [
      sandbox.execute('fault hang'),
      sandbox.execute('echo queued'),
      sandbox.readFile('/tmp/a'),
    ].map(endOf)
    const spent = await durationOf(() => within(60, Promise.all(calls)))
    expect(await Promise.all(calls)).toEqual(calls.map(() => lost('DEADLINE_IGNORED')))
    expect(spent).toBeGreaterThan(2900)
    expect(spent).toBeLessThan(15_000)
    expect(sandbox.generation).toBe(2)
    expect(await sandbox.execute('echo next')).toEqual(printed('next\n'))
    expect(host.stats()).toMatchObject({ workers: 2, leased: 1, idle: 0, retired: 1 })
  })

  it('under a native call that never ends settles by itself, and the next session works beside it', async ({
    onTestFinished,
  }) => {
    const host = makeHost({}, onTestFinished)
    const binds = [{ source: silentPipe(onTestFinished), destination: '/silent', readonly: true }]
    const sandbox = new StrandsShellSandbox({ timeout: 1, binds }, { host })
    await sandbox.open()
    const call = endOf(sandbox.execute('cat /silent/pipe'))
    const spent = await durationOf(() => within(60, call))
    expect(await call).toEqual(lost('DEADLINE_IGNORED'))
    expect(spent).toBeGreaterThan(2900)
    expect(spent).toBeLessThan(15_000)
    expect(await sandbox.execute('echo next')).toEqual(printed('next\n'))
    expect(host.stats()).toMatchObject({ leased: 1, retired: 1 })
  })

  it('under a call that was given up is reported once, by the next call', async ({ onTestFinished }) => {
    const { sandbox } = faultySandbox({ timeout: 2 }, onTestFinished)
    await sandbox.open()
    expect(await endOf(sandbox.execute('fault hang', { timeout: 0.1 }))).toMatchObject({ code: 'TIMEOUT' })
    await until(() => sandbox.status === 'lost')
    expect(await endOf(sandbox.execute('echo a'))).toEqual(lost('DEADLINE_IGNORED'))
    expect(await endOf(sandbox.execute('echo b'))).toEqual(printed('b\n'))
  })

  it('each command has its own time: a long queue of short ones is not overdue', async ({
    onTestFinished,
  }) => {
    const { sandbox } = faultySandbox({ timeout: 2.5 }, onTestFinished)
    await sandbox.open()
    const calls = Array.from({ length: 12 }, () => sandbox.execute('fault slow'))
    expect(await Promise.all(calls)).toEqual(calls.map(() => printed('slow')))
  })
})
