import { describe, expect, it, onTestFinished } from 'vitest'
import { type BashConfig, BashSandbox } from '../../src/bash/index.ts'
import { SandboxLimitError } from '../../src/index.ts'
import { result } from '../strands-shell/support/expected.ts'

async function open(config: BashConfig = {}): Promise<BashSandbox> {
  const sandbox = await BashSandbox.open({ isolation: 'shared', ...config })
  onTestFinished(() => sandbox.close())
  return sandbox
}

describe('standard input of a bash sandbox', () => {
  it.each([
    ['a plain script', 'cat'],
    ['a script with an array', 'a=(x); cat'],
    ['a script with a function', 'f() { cat; }; f'],
    ['a script with an exit trap', 'trap : EXIT; cat'],
    ['a shell in the shell', 'bash -c cat'],
    ['such a shell with an array', `bash -c 'a=(x); cat'`],
    ['a script that is sourced', 'echo cat > /tmp/s; . /tmp/s'],
  ])('reaches %s', async (_what, command) => {
    const sandbox = await open()
    expect(await sandbox.execute(command, { stdin: 'in\n' })).toEqual(result({ stdout: 'in\n' }))
    expect(await sandbox.executeCode(command, 'bash', { stdin: 'in\n' })).toEqual(result({ stdout: 'in\n' }))
  })

  it('is read line by line by builtins, and into arrays', async () => {
    const sandbox = await open()
    const stdin = 'a b\nc\nd\n'
    const command = 'read -ra words; echo "${words[1]}"; mapfile -t lines; echo "${lines[@]}"'
    expect(await sandbox.execute(command, { stdin })).toEqual(result({ stdout: 'b\nc d\n' }))
    expect(await sandbox.execute('echo "${lines[1]}"')).toEqual(result({ stdout: 'd\n' }))
  })

  it('goes on where a line was left because of an expression that failed', async () => {
    const sandbox = await open()
    const command = 'a=(x); read -r one\necho $((1/0)); echo left out\nread -r two; echo "$one $two"'
    const { stdout } = await sandbox.execute(command, { stdin: '1\n2\n3\n' })
    expect(stdout).toBe('1 2\n')
  })

  it('is given to a function of the caller', async () => {
    const shout = {
      description: 'shouts',
      run: (_: unknown, { stdin }: { stdin: string }) => stdin.toUpperCase(),
    }
    const sandbox = await open({ commands: { shout } })
    expect(await sandbox.execute('shout | tr -d B', { stdin: 'abc' })).toEqual(result({ stdout: 'AC' }))
  })

  it('that is larger than the memory allows rejects, and runs nothing', async () => {
    const sandbox = await open({ isolation: 'worker', limits: { maxMemory: 64 * 2 ** 20 } })
    const fits = await sandbox.execute('wc -c', { stdin: new Uint8Array(4 * 2 ** 20) })
    expect(fits).toEqual(result({ stdout: `${4 * 2 ** 20}\n` }))
    const call = sandbox.execute('echo ran > /tmp/ran', { stdin: new Uint8Array(4 * 2 ** 20 + 1) })
    const refused = await call.catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(SandboxLimitError)
    expect(refused).toMatchObject({ limit: 'limits.maxMemory', value: 64 * 2 ** 20 })
    expect(await sandbox.listFiles('/tmp')).toEqual([])
  })
})
