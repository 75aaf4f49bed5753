import { describe, expect, it } from 'vitest'
import {
  SandboxAbortError,
  SandboxClosedError,
  SandboxConfigError,
  type SandboxError,
  SandboxTimeoutError,
  WorkerLostError,
} from '../../src/index.ts'
import { localShell } from '../../src/posix/index.ts'
import { MAX_COMMANDS } from '../../src/sandbox/many-commands.ts'
import { describeEngines, type HostedEngine } from '../support/describe-engines.ts'
import { byTier } from '../support/tier.ts'
import { result } from './support/expected.ts'

describeEngines('executeMany', executeMany)

function executeMany(engine: HostedEngine): void {
  const { fatalCommand } = engine.capabilities

  it('returns what execute returns for each command, in one session', async () => {
    const sandbox = await engine.open()
    const commands = ['v=1; cd /tmp', 'echo "$v"; pwd', 'echo no >&2; exit 7', 'if', 'echo "[$?]"', ': on']
    const other = await engine.open()
    const expected = []
    for (const command of commands) {
      expected.push({ ...(await other.execute(command)), durationMs: expect.any(Number) })
    }
    expect(expected[2]).toEqual(result({ exitCode: 7, stderr: 'no\n' }))
    expect(await sandbox.executeMany(commands)).toEqual(expected)
    expect(await sandbox.execute('echo "$v"')).toEqual(result({ stdout: '1\n' }))
  })

  it('runs hundreds of commands, and none', async () => {
    const sandbox = await engine.open()
    const commands = Array.from(
      { length: byTier({ default: 400, full: 1000 }) },
      (_, index) => `echo ${index}`,
    )
    const results = await sandbox.executeMany(commands)
    expect(results.map(({ stdout }) => stdout)).toEqual(commands.map((_, index) => `${index}\n`))
    expect(await sandbox.executeMany([])).toEqual([])
  })

  it('stops at the first failure with stopOnFailure', async () => {
    const sandbox = await engine.open()
    const commands = ['echo a', 'false', 'echo b > /tmp/ran']
    const failed = [result({ stdout: 'a\n' }), result({ exitCode: 1 })]
    expect(await sandbox.executeMany(commands, { stopOnFailure: true })).toEqual(failed)
    expect((await sandbox.execute('test -e /tmp/ran')).exitCode).toBe(1)
    expect(await sandbox.executeMany(commands)).toHaveLength(3)
  })

  it('scopes cwd and env to each command', async () => {
    const sandbox = await engine.open()
    const options = { cwd: '/tmp', env: { A: '$B' } }
    const results = await sandbox.executeMany(['pwd; cd /; A=2', 'pwd; echo "$A"'], options)
    expect(results[1]).toEqual(result({ stdout: '/tmp\n$B\n' }))
  })

  it('lets other calls run between slow commands', async () => {
    const sandbox = await engine.open()
    const many = sandbox.executeMany(Array.from({ length: 5 }, (_, i) => `sleep 0.2; echo ${i} >> /tmp/log`))
    await sandbox.execute('echo other >> /tmp/log')
    expect(await many).toHaveLength(5)
    const lines = (await sandbox.readText('/tmp/log')).trim().split('\n')
    expect(lines.filter((line) => line !== 'other')).toEqual(['0', '1', '2', '3', '4'])
    expect(lines.at(-1)).toBe('4')
  })

  it('applies one timeout to all of them', async () => {
    const sandbox = await engine.open()
    const commands = Array.from({ length: 50 }, () => 'sleep 0.1')
    await expect(sandbox.executeMany(commands, { timeout: 0.7 })).rejects.toThrow(SandboxTimeoutError)
  })

  it('begins no further command after its signal, and keeps the session under keep', async () => {
    const sandbox = await engine.open({ onInterrupt: 'keep' })
    await sandbox.writeText('/tmp/log', '')
    const controller = new AbortController()
    const commands = Array.from({ length: 40 }, () => 'echo x >> /tmp/log; sleep 0.1')
    const many = sandbox.executeMany(commands, { signal: controller.signal })
    setTimeout(() => controller.abort(), 20)
    await expect(many).rejects.toThrow(SandboxAbortError)
    expect((await sandbox.readText('/tmp/log')).length).toBeLessThan(60)
  })

  it.runIf(fatalCommand)('rejects with WorkerLostError when a command loses the session', async () => {
    const sandbox = await engine.open()
    await expect(sandbox.executeMany(['a=1', fatalCommand ?? ''])).rejects.toThrow(WorkerLostError)
    expect(await sandbox.executeMany(['echo "[$a]"'])).toEqual([result({ stdout: '[]\n' })])
  })

  it('rejects when the sandbox is closed', async () => {
    const sandbox = await engine.open()
    const many = expect(sandbox.executeMany(['sleep 0.3', 'sleep 0.3'])).rejects.toThrow(SandboxClosedError)
    await sandbox.close()
    await many
  })
}

describe('the arguments of executeMany', () => {
  const sandbox = localShell()
  it.each<[string, unknown, unknown]>([
    ['commands', 'ls', undefined],
    ['commands', undefined, undefined],
    ['commands', { length: 1, 0: 'ls' }, undefined],
    ['commands', Array.from({ length: MAX_COMMANDS + 1 }), undefined],
    ['commands[1]', ['ls', 1], undefined],
    ['commands[0]', new Array(1), undefined],
    ['commands[0]', ['a\0b'], undefined],
    ['stopOnFailure', [], { stopOnFailure: 'yes' }],
    ['stopOnFailuer', [], { stopOnFailuer: true }],
    ['timeout', [], { timeout: -1 }],
    ['cwd', [], { cwd: 1 }],
  ])('%s is refused', async (field, commands, options) => {
    const refusal = await sandbox
      .executeMany(commands as string[], options as { stopOnFailure: boolean })
      .catch((error: SandboxError) => error)
    expect(refusal).toBeInstanceOf(SandboxConfigError)
    expect(refusal).toMatchObject({ field })
  })
})

describe('executeMany of a POSIX sandbox', () => {
  it('runs one after another, stops at a failure, and holds all to one timeout', async () => {
    const sandbox = localShell()
    expect(await sandbox.executeMany(['echo a', 'exit 3', 'echo b'], { stopOnFailure: true })).toEqual([
      result({ stdout: 'a\n' }),
      result({ exitCode: 3 }),
    ])
    expect(await sandbox.executeMany(['echo "$A"'], { env: { A: '1' } })).toEqual([result({ stdout: '1\n' })])
    const slow = Array.from({ length: 40 }, () => 'sleep 0.1')
    await expect(sandbox.executeMany(slow, { timeout: 0.5 })).rejects.toThrow(SandboxTimeoutError)
  })
})
