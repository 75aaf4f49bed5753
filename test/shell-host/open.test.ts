import { describe, expect, it } from 'vitest'
import { configOf } from '../../src/hosted-sandbox/hosted-sandbox.ts'
import { type StrandsShellConfig, StrandsShellSandbox } from '../../src/index.ts'
import { aborted, closed, endOf, lost, printed, until, within } from '../faults/helpers.ts'
import { recordEvents, sharedHost } from '../host/helpers.ts'
import { bytesOf } from '../strands-shell/support/expected.ts'

describe('ShellHost.open', () => {
  it('opens a sandbox on this host, of its isolation or of the config’s', async () => {
    const host = sharedHost()
    const shared = await host.open()
    const own = await host.open({ isolation: 'worker' })
    expect(shared).toBeInstanceOf(StrandsShellSandbox)
    expect([shared.isolation, own.isolation, shared.id]).toEqual(['shared', 'worker', undefined])
    expect(await shared.execute('echo a')).toEqual(printed('a\n'))
    expect(host.stats()).toMatchObject({ workers: 2, leased: 2, open: 2, opened: 2, peak: 2 })
    await shared.close()
    await own.close()
  })

  it('puts the config over the host’s defaults: env and limits name by name, other fields whole', async () => {
    const host = sharedHost({
      defaults: { env: { A: 'under', B: 'under' }, timeout: 7, limits: { maxFds: 9, maxInodes: 500 } },
    })
    const sandbox = await host.open({ env: { B: 'over' }, limits: { maxFds: 20 }, timeout: undefined })
    const { env, timeout, limits } = await sandbox.describe()
    expect({ env, timeout, fds: limits['maxFds'], inodes: limits['maxInodes'] }).toEqual({
      env: { A: 'under', B: 'over' },
      timeout: 7,
      fds: 20,
      inodes: 500,
    })
    await sandbox.close()
  })

  it('makes sandboxes that open at their first call, with the host’s defaults, too', async () => {
    const host = sharedHost({ defaults: { env: { A: 'under' } } })
    const sandbox = host.sandbox({ env: { B: 'over' } })
    expect([sandbox.status, host.stats().open]).toEqual(['new', 0])
    expect(await sandbox.execute('echo $A $B')).toEqual(printed('under over\n'))
    expect(host.stats().open).toBe(1)
    await sandbox.close()
    expect(() => host.sandbox({ timeout: -1 })).toThrow(expect.objectContaining({ field: 'timeout' }))
  })

  it('merges its defaults alike wherever a sandbox of it is made', async () => {
    const host = sharedHost({ defaults: { env: { A: 'under' }, files: { '/in/a': 'a', '/in/b': 'b' } } })
    const config = { env: { B: 'over' }, files: { '/in/b': 'over' } }
    const made = [host.sandbox(config), await host.open(config), new StrandsShellSandbox(config, { host })]
    for (const sandbox of made) {
      expect(configOf(sandbox)?.record).toMatchObject({
        env: [
          ['A', 'under'],
          ['B', 'over'],
        ],
        files: [
          ['/in/a', bytesOf('a')],
          ['/in/b', bytesOf('over')],
        ],
      })
      await sandbox.close()
    }
  })

  it('refuses defaults and options that are not valid, naming them', async () => {
    for (const [options, field] of [
      [{ defaults: { timeout: -1 } }, 'timeout'],
      [{ isolation: 'cell' }, 'isolation'],
      [{ isolation: 'shared', network: 'none' }, 'network'],
      [{ network: 'some' }, 'network'],
      [{ maxCellMemory: 1000 }, 'maxCellMemory'],
      [{ maxRunning: 0 }, 'maxRunning'],
      [{ idleTimeout: 0 }, 'idleTimeout'],
      [{ maxWorkers: 1 }, 'maxWorkers'],
    ] as const) {
      expect(() => sharedHost(options as object)).toThrow(expect.objectContaining({ field }))
    }
    const host = sharedHost()
    for (const id of ['', 7, null]) {
      expect(await endOf(host.open({}, { id: id as string }))).toMatchObject({ code: 'INVALID_CONFIG' })
      expect(await endOf(host.getOrOpen(id as string))).toMatchObject({ code: 'INVALID_CONFIG' })
    }
    const extra = (options: object) => [options] as readonly unknown[] as readonly []
    for (const [call, field] of [
      [() => host.open({}, { signl: 1 } as object), 'signl'],
      [() => host.getOrOpen('a', {}, ...extra({ signal: null })), 'signal'],
      [() => host.drain({ garce: 1 } as object), 'garce'],
      [() => host.close(...extra({ grace: 1 })), 'grace'],
    ] as const) {
      await expect(call()).rejects.toMatchObject({ code: 'INVALID_CONFIG', field })
    }
    for (const options of [
      null,
      [],
      new AbortController().signal,
      new Proxy({}, { ownKeys: () => [1] as never }),
    ]) {
      await expect(host.open({}, options as never)).rejects.toMatchObject({ field: 'options' })
      await expect(host.drain(options as never)).rejects.toMatchObject({ field: 'options' })
    }
  })

  it('with a signal that is aborted rejects at once and leaves nothing', async () => {
    const host = sharedHost()
    const abort = new AbortController()
    const opening = host.open({ env: { FAULT_OPEN: 'slow' } }, { id: 'a', signal: abort.signal })
    await until(() => host.stats().leased === 1)
    abort.abort()
    expect(await within(60, endOf(opening))).toEqual(aborted)
    expect([host.get('a'), host.stats().open]).toEqual([undefined, 0])
    await until(() => host.stats().leased === 0)
  })
})

describe('a sandbox with an id', () => {
  it('is found by it, shared by concurrent callers, and refused a second time', async () => {
    const host = sharedHost()
    expect(host.get('a')).toBe(undefined)
    const [first, second] = await Promise.all([host.getOrOpen('a', { timeout: 5 }), host.getOrOpen('a')])
    expect([first === second, host.get('a') === first, first?.id]).toEqual([true, true, 'a'])
    expect(await endOf(host.open({}, { id: 'a' }))).toMatchObject({ code: 'INVALID_CONFIG' })
    expect(host.list()).toEqual([
      {
        id: 'a',
        sandbox: expect.any(Number),
        labels: {},
        isolation: 'shared',
        generation: 1,
        pending: 0,
        hibernated: false,
      },
    ])
    await first?.close()
    expect([host.get('a'), host.list()]).toEqual([undefined, []])
    const fresh = await host.getOrOpen('a')
    expect([fresh === first, fresh.generation]).toEqual([false, 1])
  })

  it('rejects a config that differs from that of the open one, and names the field', async () => {
    const host = sharedHost({ defaults: { env: { A: 'under' } } })
    const config = {
      timeout: 5,
      env: { B: 'b' },
      files: { '/in': 'x' },
      credentials: [{ url: 'https://a.example/', token: 'hush' }],
    }
    const first = host.getOrOpen('a', config)
    const same = [
      undefined,
      {},
      config,
      { umask: 0o022, onLost: 'reopen', isolation: 'shared' },
      { timeout: 5 },
    ]
    for (const one of same) expect(await host.getOrOpen('a', one as StrandsShellConfig)).toBe(await first)
    const others: readonly [field: string, config: StrandsShellConfig][] = [
      ['timeout', { timeout: 6 }],
      ['env', { env: { B: 'c' } }],
      ['files', { files: { '/in': 'y' } }],
      ['credentials', { credentials: [{ url: 'https://a.example/', token: 'other' }] }],
      ['cwd', { ...config, cwd: '/tmp' }],
      ['isolation', { isolation: 'worker' }],
      ['binds', { binds: [{ source: '/usr', destination: '/x', readonly: true }] }],
    ]
    for (const [field, other] of others) {
      const refused = await host.getOrOpen('a', other).catch((error: unknown) => error)
      expect(refused).toMatchObject({ code: 'INVALID_CONFIG', field })
      expect(String(refused)).not.toMatch(/hush|token/)
    }
    await expect(host.getOrOpen('a', { timeout: -1 })).rejects.toMatchObject({ field: 'timeout' })
  })

  it('that could not be opened is not there, and the next caller tries again', async () => {
    const host = sharedHost()
    const failing = host.getOrOpen('a', { env: { FAULT_OPEN: 'reject' } })
    expect(await endOf(failing)).toMatchObject({ code: 'INVALID_CONFIG' })
    expect(host.get('a')).toBe(undefined)
    const sandbox = await host.getOrOpen('a')
    expect(await sandbox.execute('echo a')).toEqual(printed('a\n'))
  })

  it('keeps its id over a lost session', async () => {
    const host = sharedHost()
    const told = recordEvents(host)
    const sandbox = await host.open({}, { id: 'a' })
    expect(await endOf(sandbox.execute('fault exit'))).toEqual(lost('WORKER_EXITED'))
    expect(await sandbox.execute('echo a')).toEqual(printed('a\n'))
    expect(host.get('a')).toBe(sandbox)
    await sandbox.close()
    const data = { id: 'a', isolation: 'shared' }
    expect(told.filter(([event]) => event !== 'idle')).toEqual([
      ['opened', { ...data, generation: 1 }],
      ['lost', { ...data, generation: 2, reason: 'WORKER_EXITED' }],
      ['reopened', { ...data, generation: 2 }],
      ['closed', { ...data, generation: 2, reason: 'closed' }],
    ])
    expect(host.stats()).toMatchObject({
      opened: 1,
      lost: 1,
      reopened: 1,
      closed: { closed: 1 },
      errors: { WORKER_LOST: 1 },
    })
  })
})

describe('idleTimeout', () => {
  it('closes a sandbox that nobody uses; its id opens a fresh one, whose generation has risen', async () => {
    const host = sharedHost({ idleTimeout: 0.3 })
    const told = recordEvents(host)
    const sandbox = await host.getOrOpen('a')
    await sandbox.execute('x=kept')
    await until(() => sandbox.status === 'closed')
    expect(await endOf(sandbox.execute('echo $x'))).toEqual(closed)
    expect(host.get('a')).toBe(undefined)
    const fresh = await host.getOrOpen('a')
    expect([fresh.generation, await fresh.execute('echo "[$x]"')]).toEqual([2, printed('[]\n')])
    expect(told.find(([event]) => event === 'closed')).toEqual([
      'closed',
      { id: 'a', isolation: 'shared', generation: 1, reason: 'idle' },
    ])
    await fresh.close()
    expect((await host.getOrOpen('a')).generation).toBe(1)
  })

  it('does not pass while a call is pending, and begins anew after it', async () => {
    const host = sharedHost({ idleTimeout: 0.4 })
    const sandbox = await host.open()
    await sandbox.execute('x=kept; sleep 0.8')
    expect(await sandbox.execute('echo $x')).toEqual(printed('kept\n'))
    await until(() => sandbox.status === 'closed')
    await until(() => host.stats().leased === 0)
    expect(host.stats().closed).toEqual({ idle: 1 })
  })
})

describe('maxLifetime', () => {
  it('closes a sandbox however much it is used, but never under a call', async () => {
    const host = sharedHost({ maxLifetime: 1 })
    const sandbox = await host.open()
    expect(await sandbox.execute('sleep 1.5; echo done')).toEqual(printed('done\n'))
    await until(() => sandbox.status === 'closed')
    expect(host.stats().closed).toEqual({ lifetime: 1 })
  })
})

describe('the events of a host', () => {
  it('reach every listener until it is taken off, and refuse what is none', async () => {
    const host = sharedHost()
    const seen: string[] = []
    const listener = () => seen.push('a')
    host.on('opened', listener).on('opened', () => seen.push('b'))
    await (await host.open()).close()
    host.off('opened', listener)
    await (await host.open()).close()
    expect(seen).toEqual(['a', 'b', 'b'])
    expect(() => Reflect.apply(host.on, host, ['nothing', listener])).toThrow(
      expect.objectContaining({ field: 'event' }),
    )
    expect(() => Reflect.apply(host.on, host, ['opened', 7])).toThrow(
      expect.objectContaining({ field: 'listener' }),
    )
  })

  it('tell no secret', async () => {
    const host = sharedHost()
    const told = recordEvents(host)
    const sandbox = await host.open(
      { credentials: [{ url: 'https://a.example', token: 'hush-hush' }], env: { S: 'hush-hush' } },
      { id: 'a' },
    )
    await sandbox.execute('true')
    await sandbox.close()
    expect(JSON.stringify([told, host.stats(), host.list()])).not.toContain('hush')
  })
})
