import { describe, expect, it } from 'vitest'
import type { SandboxEvent, SandboxEventMap } from '../../src/index.ts'
import { endOf, until } from '../faults/helpers.ts'
import { sharedHost } from '../host/helpers.ts'
import { hostDirectory } from '../strands-shell/support/host-tree.ts'

const isFrozen = (value: unknown): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (Object.isFrozen(value) && Object.values(value).every((part) => isFrozen(part)))

describe('the events of a sandbox', () => {
  it('come to all listeners in the order of their numbers, whatever a listener does', async () => {
    const host = sharedHost()
    const sandbox = await host.open()
    const told: (readonly [SandboxEvent, number])[] = []
    sandbox.on('command', () => void sandbox.close())
    sandbox.on('file', () => {
      sandbox.sync.execute('true')
    })
    for (const kind of ['command', 'file', 'closed', 'idle'] as const) {
      host.on(kind, (data) => told.push([data.kind, data.sequence]))
    }
    await sandbox.stat('/')
    const numbers = told.map(([, sequence]) => sequence)
    expect(told.map(([kind]) => kind)).toEqual(['file', 'command', 'closed'])
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b))
  })

  it('can be changed by no listener', async () => {
    const host = sharedHost()
    const source = await hostDirectory({ kept: 'k' })
    const sandbox = await host.open({
      labels: { tenant: 'a' },
      binds: [{ source, destination: '/work' }],
      limits: { maxOutput: 8 },
    })
    const frozen: boolean[] = []
    const commands: SandboxEventMap['command'][] = []
    host.on('command', (event) => {
      frozen.push(isFrozen(event))
      commands.push(event)
    })
    const result = await sandbox.execute('echo new > /work/new; echo 123456789')
    expect(commands).toMatchObject([{ truncated: { stdout: expect.any(Number) }, changed: ['/work/new'] }])
    expect(frozen).toEqual([true])
    expect(Object.isFrozen(result.truncated)).toBe(false)
  })

  it('name the session in which a call has run', async () => {
    let answer: (verdict: 'allow') => void = () => undefined
    const host = sharedHost({
      policy: (call) =>
        call.kind === 'command' && call.command === 'echo waits'
          ? new Promise((resolve) => {
              answer = resolve
            })
          : 'allow',
    })
    const sandbox = await host.open()
    const told: (readonly [string, number])[] = []
    sandbox.on('command', ({ command, generation }) => told.push([command, generation]))
    const snapshot = await sandbox.snapshot()
    const restoring = sandbox.restore(snapshot)
    await sandbox.execute('echo behind')
    await restoring
    const waits = sandbox.execute('echo waits')
    await new Promise((resolve) => setTimeout(resolve, 10))
    const again = sandbox.restore(snapshot)
    answer('allow')
    await Promise.all([waits, again])
    await sandbox.execute('echo last')
    expect(told).toEqual([
      ['echo behind', 2],
      ['echo waits', 2],
      ['echo last', 3],
    ])
  })

  it.each(['command', 'policy'] as const)(
    'are over with its end, which comes behind the calls that it ends: those that wait for a %s',
    async (wait) => {
      const host = sharedHost(wait === 'policy' ? { policy: () => new Promise(() => undefined) } : {})
      const sandbox = await host.open({}, { id: 'a' })
      const told: (readonly [SandboxEvent, unknown])[] = []
      host.on('closed', ({ kind, reason }) => told.push([kind, reason]))
      for (const kind of ['command', 'file'] as const) host.on(kind, ({ error }) => told.push([kind, error]))
      const calls = [sandbox.execute('sleep 0.2'), sandbox.stat('/')].map((call) => endOf(call))
      await new Promise((resolve) => setTimeout(resolve, 20))
      const closing = sandbox.close()
      expect(host.get('a')).toBeUndefined()
      await closing
      expect(told).toEqual([
        ['command', 'CLOSED'],
        ['file', 'CLOSED'],
        ['closed', 'closed'],
      ])
      await Promise.all(calls)
      await endOf(sandbox.execute('true'))
      expect(told.length).toBe(3)
    },
  )

  it('have one of each call that is refused before it is sent, and none of a closed sandbox', async () => {
    const host = sharedHost()
    const sandbox = await host.open({ maxPending: 1 })
    const told: (readonly [string, string | undefined, number, number])[] = []
    host.on('command', ({ command, error, durationMs, waitedMs }) =>
      told.push([command, error, Math.min(0, durationMs), Math.min(0, waitedMs)]),
    )
    const runs = sandbox.execute('sleep 0.1')
    await endOf(sandbox.execute('1'))
    await endOf(sandbox.execute('2', { signal: AbortSignal.abort() }))
    await runs
    await sandbox.close()
    await endOf(sandbox.execute('3'))
    expect(told).toEqual([
      ['1', 'LIMIT_EXCEEDED', 0, 0],
      ['2', 'ABORTED', 0, 0],
      ['sleep 0.1', undefined, 0, 0],
    ])
  })
})

describe('secrets that the events of calls hide', () => {
  async function commandsShown(
    calls: readonly (readonly [command: string, secrets: readonly string[]])[],
  ): Promise<string[]> {
    const sandbox = await sharedHost().open()
    const shown: string[] = []
    sandbox.on('command', ({ command }) => shown.push(command))
    for (const [command, secrets] of calls) {
      const secretEnv = Object.fromEntries(secrets.map((secret, index) => [`S${index}`, secret]))
      await sandbox.execute(command, { secretEnv })
    }
    return shown
  }

  it('may lie in, over and beside each other', async () => {
    expect(
      await commandsShown([
        [': hush-tail', ['hush', 'hush-tail']],
        [': hush-tail', []],
        [': abcd', ['abc', 'bcd']],
        [': xyxyx', ['xyx']],
        [': * y *** z', ['*', 'z']],
        [': plain', ['', 'no']],
      ]),
    ).toEqual([': ***', ': ***', ': ***', ': ***', ': *** y *** ***', ': plain'])
  })

  it('are hidden however many a call has, and across the end of what is shown', async () => {
    const many = Array.from({ length: 1500 }, (_, index) => `secret-${index}-`)
    const long = `: ${'x'.repeat(4090)}secret-7-${'y'.repeat(1_000_000)}`
    const shown = await commandsShown([
      [': secret-0- secret-1499-', many],
      [long, ['secret-7-']],
    ])
    expect(shown[0]).toBe(': *** ***')
    expect(shown[1]).toBe(`: ${'x'.repeat(4090)}***y`)
  })

  it('are hidden for calls that others with many secrets have overtaken', async () => {
    const host = sharedHost({ policy: () => 'allow' })
    const sandbox = await host.open()
    const shown: string[] = []
    host.on('command', ({ command }) => shown.push(command))
    const first = sandbox.execute('sleep 0.1; : early', { secretEnv: { S: 'early' } })
    const many = Array.from({ length: 1500 }, (_, index) => [`S${index}`, `secret-${index}-`])
    await Promise.all([first, sandbox.execute('true', { secretEnv: Object.fromEntries(many) })])
    expect(shown).toEqual(['sleep 0.1; : ***', 'true'])
  })

  it('are those of the credentials that the session has, and those that come next', async () => {
    const host = sharedHost()
    process.env['ROTATED_TOKEN'] = 'first-token'
    const sandbox = await host.open({
      allowedUrls: ['https://example.com/'],
      credentials: [
        { url: 'https://example.com/', envVar: 'ROTATED_TOKEN' },
        { url: 'https://example.org/', token: 'fixed-token' },
      ],
    })
    const shown: string[] = []
    sandbox.on('command', ({ command }) => shown.push(command))
    process.env['ROTATED_TOKEN'] = 'second-token'
    await sandbox.execute(': first-token second-token fixed-token')
    delete process.env['ROTATED_TOKEN']
    expect(shown).toEqual([': *** *** ***'])
  })

  it('may be in names of files that a command changes', async () => {
    const host = sharedHost()
    const source = await hostDirectory({ kept: 'k' })
    const sandbox = await host.open({ binds: [{ source, destination: '/work' }] })
    const changed: (readonly string[])[] = []
    sandbox.on('command', (event) => changed.push(event.changed))
    await sandbox.execute('echo new > "/work/a-$S"', { secretEnv: { S: 'hush' } })
    await until(() => changed.length === 1)
    expect(changed).toEqual([['/work/a-***']])
  })
})
