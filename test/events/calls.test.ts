import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { BashSandbox } from '../../src/bash/index.ts'
import { type SandboxEventMap, type ShellHost, StrandsShellSandbox } from '../../src/index.ts'
import { endOf, suiteHost } from '../faults/helpers.ts'
import { sharedHost } from '../host/helpers.ts'
import { hostDirectory } from '../strands-shell/support/host-tree.ts'

type Command = SandboxEventMap['command']
type File = SandboxEventMap['file']

const sandboxes = { strands: StrandsShellSandbox, bash: BashSandbox } as const

describe.each(['strands', 'bash'] as const)('the calls of a %s sandbox', (shell) => {
  const suite = suiteHost()

  async function watched(
    config: { labels?: Record<string, string>; timeout?: number } = {},
    host: ShellHost = suite,
  ) {
    const sandbox = await sandboxes[shell].open(config, { host })
    onTestFinished(() => sandbox.close())
    const commands: Command[] = []
    const files: File[] = []
    const onCommand = (event: Command) => commands.push(event)
    const onFile = (event: File) => files.push(event)
    host.on('command', onCommand).on('file', onFile)
    onTestFinished(() => {
      host.off('command', onCommand).off('file', onFile)
    })
    return { host, sandbox, commands, files }
  }

  it('tells each command with its status, its output and its time', async () => {
    const { sandbox, commands } = await watched({ labels: { tenant: 'a' } })
    await sandbox.execute('echo é; echo no >&2; exit 3')
    await sandbox.executeCode('echo 1', 'sh')
    for await (const event of sandbox.executeStreaming('echo stream')) void event
    await sandbox.executeMany(['true', 'false', 'true'], { stopOnFailure: true })
    expect(
      commands.map(({ command, language, exitCode, stdoutBytes, stderrBytes }) => [
        command,
        language,
        exitCode,
        stdoutBytes,
        stderrBytes,
      ]),
    ).toEqual([
      ['echo é; echo no >&2; exit 3', undefined, 3, 3, 3],
      ['echo 1', 'sh', 0, 2, 0],
      ['echo stream', undefined, 0, 7, 0],
      ['true', undefined, 0, 0, 0],
      ['false', undefined, 1, 0, 0],
    ])
    for (const event of commands) {
      expect(event).toMatchObject({
        kind: 'command',
        shell,
        isolation: 'shared',
        labels: { tenant: 'a' },
        generation: 1,
        error: undefined,
        timedOut: false,
        truncated: false,
        denied: false,
        changed: [],
      })
      expect([event.durationMs >= 0, event.waitedMs >= 0]).toEqual([true, true])
      expect(Math.abs(event.time - Date.now())).toBeLessThan(60_000)
    }
  })

  it('tells of the commands of one call how long ago they have ended', async () => {
    const { sandbox, commands } = await watched()
    // A busy machine makes several trips of what takes longer than a quarter of a second: it has the call made again.
    await vi.waitFor(
      async () => {
        commands.length = 0
        await sandbox.executeMany(['true', 'sleep 0.02', 'true'])
        expect(commands[0]?.endedMs).toBeGreaterThan(15)
      },
      { timeout: 60_000 },
    )
    // Between two commands of a call hardly any time passes.
    let later = 0
    for (const { endedMs, durationMs } of commands.toReversed()) {
      expect(endedMs - later).toBeGreaterThan(-0.01)
      expect(endedMs - later).toBeLessThan(1000)
      later = endedMs + durationMs
    }
  })

  it('tells the wait of a call of several commands once, with the first', async () => {
    const { sandbox, commands } = await watched()
    const before = sandbox.execute('sleep 0.02')
    await Promise.all([before, sandbox.executeMany(['true', 'sleep 0.02', 'true'])])
    expect(commands[1]?.waitedMs).toBeGreaterThan(15)
    expect(commands.slice(2).map(({ waitedMs }) => waitedMs)).toEqual([0, 0])
  })

  it('tells a call that was rejected once, with the code of its error', async () => {
    const { sandbox, commands, files } = await watched({ timeout: 1 })
    expect(await endOf(sandbox.execute('while :; do :; done', { timeout: 0.05 }))).toMatchObject({
      code: 'TIMEOUT',
    })
    expect(await endOf(sandbox.readFile('/nope'))).toMatchObject({ code: 'PATH_NOT_FOUND' })
    expect(commands).toMatchObject([
      { error: 'TIMEOUT', exitCode: undefined, command: 'while :; do :; done' },
    ])
    expect(files).toMatchObject([
      { operation: 'read', path: '/nope', error: 'PATH_NOT_FOUND', bytes: undefined },
    ])
  })

  it('tells each file operation with its path and bytes', async () => {
    const { sandbox, files } = await watched()
    await sandbox.writeText('/tmp/a', 'four')
    await sandbox.appendFile('/tmp/a', Buffer.from('!'))
    await sandbox.readFile('/tmp/a')
    await sandbox.makeDirectory('/tmp/d')
    await sandbox.copy('/tmp/a', '/tmp/d/b')
    await sandbox.move('/tmp/a', '/tmp/c')
    await sandbox.listFiles('/tmp')
    await sandbox.stat('/tmp/c')
    await sandbox.removeFile('/tmp/c')
    expect(files.map(({ operation, path, to, bytes, error }) => [operation, path, to, bytes, error])).toEqual(
      [
        ['write', '/tmp/a', undefined, 4, undefined],
        ['append', '/tmp/a', undefined, 1, undefined],
        ['read', '/tmp/a', undefined, 5, undefined],
        ['makeDirectory', '/tmp/d', undefined, undefined, undefined],
        ['copy', '/tmp/a', '/tmp/d/b', undefined, undefined],
        ['move', '/tmp/a', '/tmp/c', undefined, undefined],
        ['list', '/tmp', undefined, undefined, undefined],
        ['stat', '/tmp/c', undefined, undefined, undefined],
        ['remove', '/tmp/c', undefined, undefined, undefined],
      ],
    )
  })

  it('numbers the events of a sandbox, those that nobody listened to included', async () => {
    const { sandbox, host } = await watched()
    const told: (readonly [string, number])[] = []
    for (const kind of ['command', 'idle', 'closed'] as const) {
      sandbox.on(kind, ({ sequence }) => told.push([kind, sequence]))
    }
    await sandbox.execute('true')
    await sandbox.stat('/tmp')
    await sandbox.close()
    const numbers = told.map(([, sequence]) => sequence)
    expect(told.map(([kind]) => kind)).toEqual(['command', 'idle', 'idle', 'closed'])
    // A file operation lies between the two times of rest.
    expect(numbers.map((number) => number - (numbers[0] ?? 0))).toEqual([0, 1, 3, 4])
    void host
  })

  it('shows no secret of a call or a credential, and only the begin of a long command', async () => {
    const { sandbox, commands, files } = await watched()
    const result = await sandbox.execute('echo "$TOKEN" hush-hush', {
      env: { PLAIN: 'plain' },
      secretEnv: { TOKEN: 'hush-hush' },
    })
    expect(result.stdout).toBe('hush-hush hush-hush\n')
    await endOf(sandbox.readFile('/tmp/hush-hush'))
    await sandbox.execute(`: ${'x'.repeat(5000)}`)
    await sandbox.execute(`: ${Buffer.from('user:hush-hush').toString('base64')}`)
    expect(commands.map(({ command, length }) => [command.length, length])).toEqual([
      ['echo "$TOKEN" ***'.length, 'echo "$TOKEN" hush-hush'.length],
      [4096, 5002],
      [': dXNlcj***='.length, ': dXNlcjpodXNoLWh1c2g='.length],
    ])
    expect(JSON.stringify([commands, files])).not.toContain('hush')
  })
})

it('tells what a command has changed in a mirrored directory of the host', async () => {
  const host = sharedHost()
  const source = await hostDirectory({ kept: 'k', gone: 'g' })
  const sandbox = await host.open({ binds: [{ source, destination: '/work' }] })
  const changed: (readonly string[])[] = []
  sandbox.on('command', (event) => changed.push(event.changed))
  await sandbox.execute('cat /work/kept; echo new > /work/new; rm /work/gone')
  await sandbox.execute('i=0; while [ $i -lt 120 ]; do : > /work/f$i; i=$((i+1)); done')
  expect(changed.map((paths) => paths.length)).toEqual([2, 100])
  expect(changed[0]).toEqual(['/work/new', '/work/gone'])
})

it('tells a sandbox of its own events alone, and a host of all', async () => {
  const host = sharedHost()
  const own: unknown[] = []
  const all: unknown[] = []
  host.on('command', ({ id, sandbox, command }) => all.push([id, sandbox > 0, command]))
  const first = await host.open({}, { id: 'first' })
  const second = await host.open()
  first.on('command', ({ command }) => own.push(command))
  await first.execute('echo 1')
  await second.execute('echo 2')
  first.sync.execute('echo 3')
  expect(own).toEqual(['echo 1', 'echo 3'])
  expect(all).toEqual([
    ['first', true, 'echo 1'],
    [undefined, true, 'echo 2'],
    ['first', true, 'echo 3'],
  ])
})
