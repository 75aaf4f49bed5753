import { describe, expect, it } from 'vitest'
import { MirrorError, StrandsShellSandbox } from '../../src/index.ts'
import { durationOf, endOf, faultyHost, lost, printed, within } from './helpers.ts'

/** A sandbox whose worker answers as it is asked to, and may be allowed time for mirroring. */
function answering(mode: 'service' | 'mirroring' = 'service'): StrandsShellSandbox {
  return new StrandsShellSandbox({ env: { HOSTILE: mode } }, { host: faultyHost() })
}

describe('what a worker says of its mirrors', () => {
  it('reaches the caller as a MirrorError where not all was written, with the output', async () => {
    const sandbox = answering()
    const error = await sandbox.execute('good-sync').catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(MirrorError)
    expect({ ...(error instanceof MirrorError ? error : {}) }).toStrictEqual({
      code: 'MIRROR_FAILED',
      name: 'MirrorError',
      written: ['/work/a'],
      pending: [{ path: '/work/b', reason: 'no space left on the device' }],
      stdout: 'o',
      stderr: 'e',
      exitCode: 3,
    })
    expect(await sandbox.execute('next')).toEqual(printed('next'))
  })

  it('in reports is the declared fields and no others', async () => {
    const sandbox = answering()
    expect(await sandbox.changes({ since: 'good-changes' })).toStrictEqual({
      mark: '7',
      changes: [{ bind: '/work', path: '/work/a', kind: 'file', change: 'added' }],
    })
    expect(await sandbox.applyChanges({ bind: '/good-apply', paths: ['/good-apply/a'] })).toStrictEqual({
      written: ['/good-apply/a'],
      removed: [],
      conflicts: [{ path: '/work/a', hostPath: '/srv/a', kept: '/work/a.host-conflict' }],
    })
  })

  it('is waited for no longer than a call’s own timeout', async () => {
    const sandbox = answering()
    await sandbox.open()
    const calls = [
      sandbox.changes({ since: 'silence', timeout: 0.05 }),
      sandbox.applyChanges({ bind: '/silence', signal: AbortSignal.timeout(50) }),
    ]
    expect(await within(60, Promise.all(calls.map(endOf)))).toMatchObject([
      { code: 'TIMEOUT' },
      { code: 'ABORTED' },
    ])
  })
})

describe.concurrent('a command that does not end', () => {
  it.for([
    ['service', 1 + 2, 'The engine ignored its deadline of 1 s by more than 2 s.'],
    ['mirroring', 1 + 2 + 2, 'A command and the mirroring around it did not end within 5 s.'],
  ] as const)(
    'is a lost session after its timeout, its allowance and 2 s (%s)',
    async ([mode, seconds, why], { onTestFinished }) => {
      const host = faultyHost({}, onTestFinished)
      const sandbox = new StrandsShellSandbox({ env: { HOSTILE: mode } }, { host })
      await sandbox.open()
      const call = sandbox.execute('silence')
      const message = call.catch((error: unknown) => (error instanceof Error ? error.message : error))
      const spent = await durationOf(() => within(60, call))
      expect(await endOf(call)).toEqual(lost('DEADLINE_IGNORED'))
      expect(await message).toBe(`The session was lost: ${why}`)
      expect(spent / 1000).toBeGreaterThan(seconds - 0.1)
      expect(spent / 1000).toBeLessThan(seconds + 20)
    },
  )
})
