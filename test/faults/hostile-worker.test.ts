import { describe, expect, it } from 'vitest'
import { StrandsShellSandbox } from '../../src/index.ts'
import {
  closed,
  durationOf,
  endOf,
  faultyHost,
  lost,
  printed,
  until,
  watchWorkers,
  within,
} from './helpers.ts'

function hostile(): { sandbox: StrandsShellSandbox; host: ReturnType<typeof faultyHost> } {
  const host = faultyHost()
  return { host, sandbox: new StrandsShellSandbox({ env: { HOSTILE: 'service' } }, { host }) }
}

describe('a hostile worker', () => {
  it.each([
    ['replies to calls nobody made', 'unknown-ids', 'after strangers'],
    ['replies three times', 'twice', 'first'],
    ['sends messages of every kind', 'noise', 'after noise'],
    ['forges loss notices that are none', 'forged-garbage-loss', 'after forged notices'],
  ])('that %s disturbs no call', async (_, command, stdout) => {
    const { sandbox } = hostile()
    expect(await sandbox.execute(command)).toEqual(printed(stdout))
    expect(await sandbox.execute('next')).toEqual(printed('next'))
    expect([sandbox.status, sandbox.generation]).toEqual(['open', 1])
  })

  it('that adds fields to a reply has them dropped', async () => {
    const { sandbox } = hostile()
    const result = await sandbox.execute('extra-fields')
    expect(result).toEqual({
      type: 'executionResult',
      exitCode: 3,
      stdout: 'o',
      stderr: 'e',
      outputFiles: [],
      timedOut: false,
      truncated: { stdout: 2 },
      durationMs: 1,
    })
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype)
    expect(await sandbox.listFiles('extra-entry-fields')).toEqual([{ name: 'a', isDir: false, size: 1 }])
    expect(Object.hasOwn(Object.prototype, 'x')).toBe(false)
  })

  it.each(['forged-loss-twice', 'forged-loss-and-reply'])(
    'that reports a loss costs its session and no more (%s)',
    async (command) => {
      const { sandbox, host } = hostile()
      await sandbox.open()
      const calls = [sandbox.execute(command), sandbox.execute('silence')].map(endOf)
      expect(await within(60, Promise.all(calls))).toEqual([lost('ENGINE_PANIC'), lost('ENGINE_PANIC')])
      expect([sandbox.status, sandbox.generation]).toEqual(['lost', 2])
      expect(await sandbox.execute('next')).toEqual(printed('next'))
      await until(() => host.stats().workers === 1)
    },
  )

  it('that closes its port under a call loses the session at once, not at the deadline', async () => {
    const { sandbox, host } = hostile()
    await sandbox.open()
    const calls = [sandbox.execute('close-port'), sandbox.readFile('silence')].map(endOf)
    const spent = await durationOf(() => within(60, Promise.all(calls)))
    expect(await Promise.all(calls)).toEqual([
      { name: 'WorkerLostError', code: 'WORKER_LOST', cause: expect.any(String) },
      { name: 'WorkerLostError', code: 'WORKER_LOST', cause: expect.any(String) },
    ])
    expect(spent).toBeLessThan(20_000)
    expect(await sandbox.execute('next')).toEqual(printed('next'))
    await until(() => host.stats().workers === 1)
  })

  it('that never answers close() is given up after 5 s, while the pending calls reject at once', async () => {
    const { sandbox, host } = hostile()
    await sandbox.execute('close-mode silence')
    const call = endOf(sandbox.execute('silence'))
    const closes = sandbox.close()
    expect(await within(60, call)).toEqual(closed)
    await within(60, closes)
    await until(() => host.stats().workers === 0)
  })

  it.each(['close-busy', 'close-text'])(
    'that answers close() with anything but true is not reused (%s)',
    async (mode) => {
      const { sandbox, host } = hostile()
      await sandbox.execute(`close-mode ${mode}`)
      await within(60, sandbox.close())
      await until(() => host.stats().workers === 0)
    },
  )
})

describe('a worker that lies about its lease', () => {
  it.each([
    'reply-null',
    'reply-text',
    'reply-ok-text',
    'reply-no-gate',
    'reply-small-gate',
    'reply-no-timeout',
    'reply-giant-timeout',
    'reply-no-allowance',
    'reply-negative-allowance',
    'reply-giant-allowance',
    'reply-no-capabilities',
    'reply-capability-text',
    'reply-error-unknown',
    'reply-error-missing',
    'reply-reject',
  ])('opens no session, is told by a typed error, and is not left behind (%s)', async (mode) => {
    const workers = watchWorkers()
    const host = faultyHost()
    const sandbox = new StrandsShellSandbox({ env: { HOSTILE: mode } }, { host })
    expect(await within(60, endOf(sandbox.open()))).toMatchObject({
      code: expect.stringMatching(/^(WORKER_LOST|PROTOCOL)$/),
    })
    expect(sandbox.status).toBe('new')
    await until(() => host.stats().workers === 0 && workers.every(({ threadId }) => threadId === -1))
    expect(host.stats()).toMatchObject({ workers: 0, leased: 0, idle: 0, retired: 0 })
  })
})
