import { AsyncLocalStorage } from 'node:async_hooks'
import { describe, expect, it, vi } from 'vitest'
import type { EngineName, HostedSandbox, SandboxEvent, ShellHost } from '../../src/index.ts'
import { endOf, makeHost } from '../faults/helpers.ts'
import { sharedHost } from '../host/helpers.ts'
import { startServer } from '../strands-shell/support/http-server.ts'
import { MemoryStore } from '../support/memory-store.ts'

const caller = new AsyncLocalStorage<string>()

/** What each event of these kinds said of itself, and the caller in whose context it was told. */
function watch(
  host: ShellHost,
  kinds: readonly SandboxEvent[],
): [event: string, caller: string | undefined][] {
  const told: [string, string | undefined][] = []
  for (const kind of kinds) {
    host.on(kind, (event) => {
      const what = 'command' in event ? event.command : 'path' in event ? event.path : kind
      told.push([what, caller.getStore()])
    })
  }
  return told
}

describe('an event is told in the async context of its caller', () => {
  it('for commands, code, streams, files, sync calls and rejected calls of concurrent callers', async () => {
    const host = sharedHost()
    const told = watch(host, ['command', 'file'])
    const sandboxes: HostedSandbox[] = [
      await host.open({ shell: 'bash' }, { id: 'bash' }),
      await host.open({}, { id: 'strands' }),
    ]
    const kinds: readonly ((sandbox: HostedSandbox, name: string) => unknown)[] = [
      (sandbox, name) => sandbox.execute(`: ${name}`),
      (sandbox, name) => sandbox.executeMany([`: ${name}`, `: ${name}`]),
      (sandbox, name) => sandbox.executeCode(`: ${name}`, 'sh'),
      async (sandbox, name) => {
        for await (const event of sandbox.executeStreaming(`: ${name}`)) void event
      },
      (sandbox, name) => sandbox.writeText(`/tmp/${name}`, 'a'),
      (sandbox, name) => endOf(sandbox.readFile(`/no/${name}`)),
      (sandbox, name) => endOf(sandbox.execute(`sleep 1; : ${name}`, { timeout: 0.01 })),
      (sandbox, name) => endOf(sandbox.execute(`: ${name}`, { signal: AbortSignal.abort() })),
    ]
    const callers = sandboxes.flatMap((sandbox) =>
      kinds.flatMap((call, kind) =>
        [1, 2].map((turn) => {
          const name = `${sandbox.shell}-${kind}-${turn}`
          return caller.run(name, async () => call(sandbox, name))
        }),
      ),
    )
    await Promise.all(callers)
    caller.run('sync', () => sandboxes[0]?.sync.execute(': sync'))
    // An executeMany tells two.
    expect(told).toHaveLength(callers.length + 4 + 1)
    expect(told.filter(([what, name]) => !what.endsWith(` ${name}`) && !what.endsWith(`/${name}`))).toEqual(
      [],
    )
  })

  it('for openings: that of the first call that needs them', async () => {
    const host = sharedHost({ maxSandboxes: 1, maxQueued: 0, hibernate: { store: new MemoryStore() } })
    const told = watch(host, ['opened', 'woken', 'reopened', 'rejected'])
    const sandbox = await caller.run('asks', () => host.getOrOpen('a', { checkpoint: 'never' }))
    expect(told).toEqual([['opened', 'asks']])
    await sandbox.hibernate()
    await Promise.all(['first', 'second'].map((name) => caller.run(name, () => sandbox.execute('true'))))
    expect(told.slice(1)).toEqual([['woken', 'first']])
    expect(await caller.run('late', () => endOf(host.open()))).toMatchObject({ code: 'HOST_SATURATED' })
    expect(told.slice(2)).toEqual([['rejected', 'late']])
  })

  it.each([
    { shell: 'strands', isolation: 'process' },
    { shell: 'bash', isolation: 'process' },
    { shell: 'bash', isolation: 'shared' },
  ] as const)(
    'for requests of a command; in none where it is not certain ($shell, $isolation)',
    async ({ shell, isolation }) => {
      const server = await startServer()
      const host = makeHost({ isolation })
      const told: [string, string | undefined][] = []
      for (const kind of ['egress', 'egressEnd'] as const)
        host.on(kind, ({ url }) => told.push([`${kind} ${new URL(url).pathname}`, caller.getStore()]))
      const sandbox = await host.open<EngineName>({ shell, allowedUrls: [`${server.origin}/`] })
      const names = ['a', 'b', 'c']
      const ask = (name: string) =>
        caller.run(name, () =>
          sandbox.execute(`curl -s ${server.origin}/${name}; curl -s http://no.example/${name}`),
        )
      const all = async () => {
        await vi.waitFor(() => expect(told).toHaveLength(9), { timeout: 60_000 })
        return told.splice(0).sort()
      }
      const certain = ['egress', 'egress', 'egressEnd'].flatMap((kind) =>
        names.map((name) => [`${kind} /${name}`, name]),
      )
      for (const name of names) await ask(name)
      expect(await all()).toEqual(certain.sort())
      await Promise.all(names.map(ask))
      const atOnce = await all()
      const wrong = atOnce.filter(([what, name]) => name !== undefined && !what.endsWith(`/${name}`))
      expect(wrong).toEqual([])
      // A thread tells its requests in order with its answers.
      if (isolation === 'shared') expect(atOnce).toEqual(certain)
    },
  )
})
