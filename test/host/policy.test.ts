import { describe, expect, it, onTestFinished } from 'vitest'
import { BashSandbox } from '../../src/bash/index.ts'
import type { PolicyRules } from '../../src/contract/policy-rules.ts'
import { type SandboxEventMap, StrandsShellSandbox } from '../../src/index.ts'
import type { Policy, PolicyCall } from '../../src/policy/types.ts'
import { endOf, makeHost, suiteHost } from '../faults/helpers.ts'
import { sharedHost } from './helpers.ts'

const sandboxes = { strands: StrandsShellSandbox, bash: BashSandbox } as const

describe.each(['strands', 'bash'] as const)('a policy of a %s sandbox', (shell) => {
  const host = suiteHost()

  async function open(policy: Policy | readonly Policy[], config: { policyTimeout?: number } = {}) {
    const sandbox = await sandboxes[shell].open({ policy, labels: { tenant: 't' }, ...config }, { host })
    onTestFinished(() => sandbox.close())
    const told: SandboxEventMap['policy'][] = []
    sandbox.on('policy', (event) => told.push(event))
    return { sandbox, told }
  }

  it('is asked before each command, code and file operation, in their order, and told whose it is', async () => {
    const asked: PolicyCall[] = []
    const { sandbox } = await open((call) => {
      asked.push(call)
      return 'allow'
    })
    await Promise.all([
      sandbox.execute('cd /tmp'),
      sandbox.execute('pwd', { cwd: '/' }),
      sandbox.executeCode('echo 1', 'sh'),
      sandbox.writeText('/tmp/a', 'a'),
      sandbox.move('/tmp/a', '/tmp/b'),
      sandbox.executeMany(['true', 'false']),
      sandbox.getEnv('HOME'),
    ])
    expect(asked.map(({ sandbox: _, ...call }) => call)).toEqual([
      { kind: 'command', command: 'cd /tmp', cwd: undefined },
      { kind: 'command', command: 'pwd', cwd: '/' },
      { kind: 'code', code: 'echo 1', language: 'sh', cwd: undefined },
      { kind: 'file', operation: 'write', path: '/tmp/a', to: undefined },
      { kind: 'file', operation: 'move', path: '/tmp/a', to: '/tmp/b' },
      { kind: 'command', command: 'true', cwd: undefined },
      { kind: 'command', command: 'false', cwd: undefined },
    ])
    expect(asked[0]?.sandbox).toEqual({ id: undefined, labels: { tenant: 't' }, shell, generation: 1 })
  })

  it('denies a command with status 126 and the reason, and a file operation with an error; the session lives', async () => {
    const deny: Policy = (call) => {
      if (call.kind === 'file') return call.operation === 'write' ? { deny: 'no writing' } : 'allow'
      return call.kind === 'command' && call.command.startsWith('rm') ? { deny: 'no removal' } : 'allow'
    }
    const { sandbox, told } = await open(deny)
    const ends: boolean[] = []
    sandbox.on('command', ({ denied }) => ends.push(denied))
    await sandbox.execute('X=1')
    expect(await sandbox.execute('rm -rf /tmp')).toEqual({
      type: 'executionResult',
      exitCode: 126,
      stdout: '',
      stderr: 'Denied by policy: no removal\n',
      outputFiles: [],
      timedOut: false,
      truncated: false,
      durationMs: 0,
    })
    await expect(sandbox.writeText('/tmp/a', 'a')).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
      path: '/tmp/a',
      message: '/tmp/a: denied by policy: no writing',
    })
    expect(await sandbox.exists('/tmp/a')).toBe(false)
    expect((await sandbox.execute('echo $X')).stdout).toBe('1\n')
    const chunks: unknown[] = []
    for await (const event of sandbox.executeStreaming('rm /a')) chunks.push(event)
    expect(chunks).toMatchObject([
      { data: 'Denied by policy: no removal\n', streamType: 'stderr' },
      { exitCode: 126 },
    ])
    expect(told.map(({ verdict, call, subject, reason }) => [verdict, call, subject, reason])).toEqual([
      ['deny', 'command', 'rm -rf /tmp', 'no removal'],
      ['deny', 'write', '/tmp/a', 'no writing'],
      ['deny', 'command', 'rm /a', 'no removal'],
    ])
    expect(ends).toEqual([false, true, false, true])
  })

  it('has another command run', async () => {
    const { sandbox, told } = await open((call) =>
      call.kind === 'command' && call.command === 'ls' ? { run: 'echo instead' } : 'allow',
    )
    expect((await sandbox.execute('ls')).stdout).toBe('instead\n')
    expect(told).toMatchObject([{ verdict: 'run', subject: 'ls', reason: 'echo instead' }])
  })

  it('runs a call once its approver says so, and not where it says no', async () => {
    const { sandbox, told } = await open((call) =>
      call.kind === 'command' ? { ask: async () => call.command === 'echo yes' } : 'allow',
    )
    expect(await sandbox.executeMany(['echo yes', 'echo no'])).toMatchObject([
      { exitCode: 0, stdout: 'yes\n' },
      { exitCode: 126, stdout: '' },
    ])
    expect(told.map(({ verdict }) => verdict)).toEqual(['approved', 'deny'])
  })

  it.each<readonly [string, string | undefined, Policy]>([
    [
      'throws',
      'Error: hush: a detail of the policy',
      () => {
        throw new Error('hush: a detail of the policy')
      },
    ],
    ['rejects', 'Error: hush', () => Promise.reject(new Error('hush'))],
    ['never answers', undefined, () => new Promise(() => undefined)],
    // @ts-expect-error this is no verdict
    ['gives what is no verdict', undefined, () => ({ allowed: true })],
  ])('that %s denies the call, and the host reads why', async (_, failure, policy) => {
    const { sandbox, told } = await open(policy, { policyTimeout: 0.05 })
    const result = await sandbox.execute('echo ran')
    expect(told.map(({ verdict, failure }) => [verdict, failure])).toEqual([['deny', failure]])
    expect([result.exitCode, result.stdout]).toEqual([126, ''])
    expect(result.stderr).toMatch(/^Denied by policy: .*\n$/)
    expect(result.stderr).not.toContain('hush')
  })

  it('keeps no call from its timeout, its signal, or the end of its sandbox', async () => {
    const { sandbox } = await open(() => new Promise(() => undefined), { policyTimeout: 60 })
    const stop = new AbortController()
    const calls = [
      sandbox.execute('true', { timeout: 0.05 }),
      sandbox.execute('true', { signal: stop.signal }),
      sandbox.execute('true'),
      sandbox.getEnv('HOME'),
    ].map((call) => endOf(call))
    expect(await calls[0]).toMatchObject({ code: 'TIMEOUT' })
    stop.abort()
    expect(await calls[1]).toMatchObject({ code: 'ABORTED' })
    await sandbox.close()
    expect(await Promise.all(calls)).toMatchObject([
      { code: 'TIMEOUT' },
      { code: 'ABORTED' },
      { code: 'CLOSED' },
      { code: 'CLOSED' },
    ])
  })

  it('lets later calls wait for its answer, a snapshot included', async () => {
    let answer: (verdict: 'allow') => void = () => undefined
    const { sandbox } = await open((call) =>
      call.kind === 'command' && call.command.startsWith('X=')
        ? new Promise((resolve) => {
            answer = resolve
          })
        : 'allow',
    )
    const ends: string[] = []
    const calls = [
      sandbox.execute('X=1').then(() => ends.push('set')),
      sandbox.execute('echo $X').then(({ stdout }) => ends.push(stdout)),
      sandbox.snapshot().then(() => ends.push('snapshot')),
      sandbox.stat('/tmp').then(() => ends.push('stat')),
    ]
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(ends).toEqual([])
    answer('allow')
    await Promise.all(calls)
    expect(ends).toEqual(['set', '1\n', 'snapshot', 'stat'])
  })

  it('is refused for synchronous calls', async () => {
    const { sandbox } = await open(() => 'allow')
    expect(() => sandbox.sync.execute('true')).toThrow(expect.objectContaining({ code: 'UNSUPPORTED' }))
  })

  it('of the host is asked first, and no sandbox can replace it', async () => {
    const asked: string[] = []
    const note =
      (name: string): Policy =>
      () => {
        asked.push(name)
        return 'allow'
      }
    const host = sharedHost({ policy: note('host'), defaults: { policy: note('defaults') } })
    const plain = await host.open({ shell })
    await plain.execute('true')
    const own = await host.open({ shell, policy: [note('own 1'), note('own 2')] })
    await own.execute('true')
    expect(asked).toEqual(['host', 'defaults', 'host', 'own 1', 'own 2'])
  })

  it('that is no function is refused', () => {
    // @ts-expect-error a text is no policy
    expect(() => new sandboxes[shell]({ policy: 'allow' })).toThrow(
      expect.objectContaining({ code: 'INVALID_CONFIG', field: 'policy' }),
    )
  })
})

describe.each(['worker', 'process'] as const)(
  'the rules of policies of a bash sandbox at %s',
  (isolation) => {
    it('hold where a command is dispatched and a file is opened, those of host and sandbox together, after a loss too', async () => {
      const withRules = (rules: PolicyRules): Policy =>
        Object.assign<Policy, object>(() => 'allow', { rules })
      const host = makeHost({ isolation, policy: withRules({ denied: ['rm'], protectedPaths: ['/srv'] }) })
      const sandbox = await host.open({
        shell: 'bash',
        files: { '/srv/kept': 'k\n' },
        init: 'rm -f /tmp/none; X=rm',
        policy: withRules({ allowed: ['rm', 'cat', 'ls'] }),
      })
      const said = async () => {
        const { stdout, stderr } = await sandbox.execute(
          '$X /srv/kept; touch /tmp/a; echo > /srv/new; cat /srv/kept; ls /srv',
        )
        return [stdout, stderr]
      }
      const expected = [
        'k\nkept\n',
        'rm: not allowed by the policy of this sandbox: do without it\n' +
          'touch: not allowed by the policy of this sandbox: do without it\n' +
          'bash: /srv/new: Permission denied\n',
      ]
      expect(await said()).toEqual(expected)
      await expect(sandbox.writeText('/srv/kept', '')).rejects.toMatchObject({ code: 'PERMISSION_DENIED' })
      await sandbox.restore(await sandbox.snapshot())
      expect(await said()).toEqual(expected)
    })
  },
)
