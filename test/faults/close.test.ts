import { describe, expect, it } from 'vitest'
import { REGISTRY, type SessionRegistry } from '../../src/host/sandbox-host.ts'
import { ShellHost, StrandsShellSandbox } from '../../src/index.ts'
import {
  closed,
  endOf,
  failingOpen,
  faultyHost,
  faultySandbox,
  lost,
  printed,
  until,
  within,
} from './helpers.ts'

describe('close()', () => {
  it('during calls rejects each of them with CLOSED, and the worker ends when its command has', async () => {
    const { sandbox, host } = faultySandbox()
    await sandbox.open()
    const calls = [
      sandbox.execute('sleep 0.3'),
      sandbox.execute('echo queued'),
      sandbox.executeCode('print(1)', 'lua'),
      sandbox.readFile('/tmp/a'),
      sandbox.getEnv('HOME'),
    ].map(endOf)
    await within(60, sandbox.close())
    expect(await Promise.all(calls)).toEqual(calls.map(() => closed))
    expect(sandbox.status).toBe('closed')
    await until(() => host.stats().workers === 0)
  })

  it('during a streaming call rejects it with CLOSED', async () => {
    const { sandbox } = faultySandbox()
    await sandbox.open()
    const next = endOf(sandbox.executeStreaming('sleep 0.3').next())
    await sandbox.close()
    expect(await next).toEqual(closed)
  })

  it('may be called twice', async () => {
    const { sandbox, host } = faultySandbox()
    await sandbox.execute('true')
    await sandbox.close()
    await sandbox.close()
    await sandbox[Symbol.asyncDispose]()
    expect(host.stats()).toMatchObject({ workers: 1, leased: 0, idle: 1, retired: 0 })
  })

  it('many times at once frees the worker once', async () => {
    const { sandbox, host } = faultySandbox()
    await sandbox.execute('true')
    await within(60, Promise.all(Array.from({ length: 20 }, () => sandbox.close())))
    expect(host.stats()).toMatchObject({ workers: 1, leased: 0, idle: 1, retired: 0 })
    const [first, second] = await Promise.all([
      StrandsShellSandbox.open({}, { host }),
      StrandsShellSandbox.open({}, { host }),
    ])
    expect([await first.execute('x=1; echo $x'), await second.execute('echo $x')]).toEqual([
      printed('1\n'),
      printed('\n'),
    ])
  })

  it('resolves for every caller only when the lease is over', async () => {
    const { sandbox, host } = faultySandbox()
    await sandbox.execute('true')
    void sandbox.close()
    await sandbox.close()
    expect(host.stats().leased).toBe(0)
  })

  it('refuses every call after it with CLOSED', async () => {
    const { sandbox, host } = faultySandbox()
    await sandbox.execute('true')
    const closing = sandbox.close()
    const calls = () => [
      sandbox.open(),
      sandbox.execute('echo a'),
      sandbox.executeCode('print(1)', 'lua'),
      sandbox.executeStreaming('echo a').next(),
      sandbox.executeCodeStreaming('print(1)', 'lua').next(),
      sandbox.readFile('/tmp/a'),
      sandbox.readText('/tmp/a'),
      sandbox.writeFile('/tmp/a', new Uint8Array(1)),
      sandbox.writeText('/tmp/a', 'a'),
      sandbox.removeFile('/tmp/a'),
      sandbox.listFiles('/tmp'),
      sandbox.getEnv('HOME'),
      sandbox.setEnv('A', '1'),
      sandbox.describe(),
    ]
    for (const call of calls()) expect(await endOf(call)).toEqual(closed)
    await closing
    for (const call of calls()) expect(await endOf(call)).toEqual(closed)
    expect(host.stats()).toMatchObject({ workers: 1, leased: 0, idle: 1, retired: 0 })
  })

  it('of a sandbox that was never opened starts nothing', async () => {
    const { sandbox, host } = faultySandbox()
    await sandbox.close()
    expect(await endOf(sandbox.execute('echo a'))).toEqual(closed)
    expect([sandbox.status, host.stats().workers]).toEqual(['closed', 0])
  })

  it('during an open that never ends rejects the callers with CLOSED', async () => {
    const { sandbox, host } = faultySandbox(failingOpen('hang'))
    const calls = [sandbox.open(), sandbox.execute('echo a')].map(endOf)
    await until(() => host.stats().leased === 1)
    await within(60, sandbox.close())
    expect(await Promise.all(calls)).toEqual([closed, closed])
    expect(sandbox.status).toBe('closed')
  })

  it('during open leaves no worker once the engine has answered', async () => {
    const { sandbox, host } = faultySandbox(failingOpen('slow'))
    const opening = endOf(sandbox.open())
    await until(() => host.stats().leased === 1)
    await within(60, sandbox.close())
    expect(await opening).toEqual(closed)
    await until(() => host.stats().workers === 0)
  })

  it('between the build and the start of the session leaves no worker', async () => {
    let atPlace: (() => void) | undefined
    class Host extends ShellHost {
      override get [REGISTRY](): SessionRegistry {
        const registry = super[REGISTRY]
        return {
          isolation: registry.isolation,
          register: (session) => {
            const registration = registry.register(session)
            const open = registration.open.bind(registration)
            registration.open = async (request) => {
              const place = await open(request)
              atPlace?.()
              return place
            }
            return registration
          },
        }
      }
    }
    const host = new Host()
    const sandbox = new StrandsShellSandbox({}, { host })
    const closes: Promise<void>[] = []
    atPlace = () => closes.push(sandbox.close())
    expect(await endOf(sandbox.execute('echo a'))).toEqual(closed)
    await Promise.all(closes)
    expect([closes.length, sandbox.status]).toEqual([1, 'closed'])
    await until(() => host.stats().leased === 0)
    await host.close()
  })

  it('of a lost session resolves, and the loss is reported no more', async () => {
    const { sandbox, host } = faultySandbox()
    await sandbox.execute('fault exit-idle')
    await until(() => sandbox.status === 'lost')
    await sandbox.close()
    expect(await endOf(sandbox.execute('echo a'))).toEqual(closed)
    expect(host.stats().workers).toBe(0)
  })

  it('after a loss under a call resolves while the worker still ends', async () => {
    const { sandbox, host } = faultySandbox()
    await sandbox.open()
    expect(await endOf(sandbox.execute('fault throw'))).toEqual(lost('WORKER_FAILED'))
    await within(60, sandbox.close())
    await until(() => host.stats().workers === 0)
  })

  it('by await using closes at the end of the block', async () => {
    const host = faultyHost()
    let kept: StrandsShellSandbox | undefined
    {
      await using sandbox = await StrandsShellSandbox.open({}, { host })
      kept = sandbox
    }
    expect([kept.status, host.stats().idle]).toEqual(['closed', 1])
  })
})
