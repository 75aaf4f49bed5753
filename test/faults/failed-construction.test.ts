import { describe, expect, it } from 'vitest'
import { type StrandsShellConfig, StrandsShellSandbox } from '../../src/index.ts'
import { byTier } from '../support/tier.ts'
import { endOf, failingOpen, faultyHost, osThreads, printed, until, watchWorkers } from './helpers.ts'

const rounds = byTier({ default: 2, full: 4 })
const missing = { source: '/no/such/directory/of/this/host', destination: '/workspace' }

describe('a sandbox that cannot be built', () => {
  it.each<readonly [string, StrandsShellConfig, unknown]>([
    [
      'names a bind source that does not exist',
      { binds: [{ ...missing, mode: 'copy' }] },
      { name: 'SandboxConfigError', code: 'INVALID_CONFIG' },
    ],
    ['names a direct bind source that does not exist', { binds: [missing] }, { code: 'INVALID_CONFIG' }],
    ['is refused by the engine', failingOpen('reject'), { code: 'INVALID_CONFIG' }],
    ['makes the engine throw', failingOpen('throw-at-once'), { code: expect.any(String) }],
    [
      'names a config file that does not exist',
      { configFile: '/no/such/file.toml' },
      { code: 'INVALID_CONFIG' },
    ],
  ])('because it %s leaves no worker behind', async (_, config, failure) => {
    const workers = watchWorkers()
    const host = faultyHost()
    const sandbox = await StrandsShellSandbox.open({}, { host })
    await sandbox.close()
    const before = osThreads()
    for (let round = 0; round < rounds; round++) {
      const opens = [1, 2].map(() => endOf(StrandsShellSandbox.open(config, { host })))
      for (const end of await Promise.all(opens)) expect(end).toMatchObject(failure as object)
    }
    await until(() => host.stats().workers === 0)
    expect(host.stats()).toMatchObject({ workers: 0, leased: 0, idle: 0, retired: 0 })
    expect(workers.map(({ threadId }) => threadId)).toEqual(workers.map(() => -1))
    // The engine's own pool may have grown by a few threads; two leaked workers of each round are more than that.
    await until(() => osThreads() <= before + 3)
  })

  it('because a credential names a variable that is not set starts no worker', async () => {
    const host = faultyHost()
    const config = { credentials: [{ url: 'https://example.com', envVar: 'NO_SUCH_VARIABLE_OF_THIS_TEST' }] }
    expect(await endOf(StrandsShellSandbox.open(config, { host }))).toMatchObject({ code: 'INVALID_CONFIG' })
    expect(host.stats().workers).toBe(0)
  })

  it('can be opened again once the reason is gone', async () => {
    const host = faultyHost()
    const name = 'VARIABLE_SET_LATER_BY_THIS_TEST'
    const sandbox = new StrandsShellSandbox(
      { credentials: [{ url: 'https://example.com', envVar: name }] },
      { host },
    )
    expect(await endOf(sandbox.execute('true'))).toMatchObject({ code: 'INVALID_CONFIG' })
    process.env[name] = 'token'
    expect(await sandbox.execute('echo a')).toEqual(printed('a\n'))
    delete process.env[name]
    expect(sandbox.generation).toBe(1)
  })
})
