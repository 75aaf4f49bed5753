import { once } from 'node:events'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type BashConfig, BashSandbox, type HostCommand } from '../../src/bash/index.ts'
import { ShellHost } from '../../src/index.ts'
import { endOf, suiteHost, timedOut, until, within } from '../faults/helpers.ts'
import { result } from '../strands-shell/support/expected.ts'
import { tierLevels } from '../support/describe-engines.ts'

const command = (run: HostCommand['run']): HostCommand => ({ description: 'a command of a test', run })

/** A command that runs until nobody waits for it, and what became of its signals. */
function endless() {
  const signals: AbortSignal[] = []
  const wait = command(async (_args, { signal }) => {
    signals.push(signal)
    await once(signal, 'abort')
    return 'too late\n'
  })
  return { wait, signals }
}

describe.each(tierLevels)('commands of the caller (%s)', (isolation) => {
  const host = suiteHost({ isolation })

  async function open(commands: BashConfig['commands'], config: BashConfig = {}): Promise<BashSandbox> {
    const sandbox = await BashSandbox.open({ commands, ...config }, { host })
    onTestFinished(() => sandbox.close())
    return sandbox
  }

  it('work in pipes, loops, functions and substitutions', async () => {
    const sandbox = await open({
      weather: command(async ([city = 'nowhere']) => `${city}: ${city.length} degrees\n`),
      upper: command((_args, { stdin }) => stdin.toUpperCase()),
    })
    expect(
      await sandbox.execute(
        'for c in Rome Oslo; do weather "$c" | upper | cut -d: -f1; done; f() { echo "<$(weather $1)>"; }; f "a b"',
      ),
    ).toEqual(result({ stdout: 'ROME\nOSLO\n<a: 1 degrees>\n' }))
    expect(await sandbox.execute('printf "x\\ny\\n" | xargs -n1 weather')).toEqual(
      result({ stdout: 'x: 1 degrees\ny: 1 degrees\n' }),
    )
  })

  it('get arguments, bytes, exported variables and the directory as the shell has them', async () => {
    const seen: unknown[] = []
    const sandbox = await open({
      look: command((args, { stdin, stdinBytes, env, cwd }) => {
        seen.push([args, stdin, [...stdinBytes], env['A'], env['B'], cwd])
        return new Uint8Array([0, 255, 10])
      }),
    })
    await sandbox.writeFile('/bytes', new Uint8Array([255, 195, 169]))
    const { stdout } = await sandbox.execute(
      `cd /tmp; A='1 "2"'; B=2; export A; cat /bytes | look '' "a b" 'é€😀' -- --help | od -An -tx1`,
    )
    expect(stdout.trim()).toBe('00 ff 0a')
    expect(seen).toEqual([
      [['', 'a b', 'é€😀', '--', '--help'], '\ufffdé', [255, 195, 169], '1 "2"', undefined, '/tmp'],
    ])
  })

  it('give stdout, stderr and an exit code, or fail with what they throw', async () => {
    const sandbox = await open({
      all: command(() => ({ stdout: 'out\n', stderr: 'err\n', exitCode: 7 })),
      none: command(() => undefined),
      broken: command(() => {
        throw new Error('no weather today')
      }),
      odd: command(() => JSON.parse('5')),
      wild: command(() => ({ exitCode: 300 })),
    })
    expect(await sandbox.execute('all; echo "$?"; none && echo none')).toEqual(
      result({ stdout: 'out\n7\nnone\n', stderr: 'err\n' }),
    )
    expect(await sandbox.execute('broken')).toEqual(
      result({ exitCode: 1, stderr: 'broken: no weather today\n' }),
    )
    expect(await sandbox.execute('odd || wild')).toEqual(
      result({
        exitCode: 1,
        stderr:
          'odd: its function must return a string, a Uint8Array or { stdout, stderr, exitCode }, but returned a number\nwild: its exitCode must be an integer from 0 to 255, but is 300 (a number)\n',
      }),
    )
  })

  it('print their description for --help, and are found', async () => {
    const sandbox = await open({ weather: { ...command(() => 'ran\n'), help: 'usage: weather CITY' } })
    expect(await sandbox.execute('weather --help; type -t weather; command -v weather')).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^usage: weather CITY\nfile\n.*weather\n$/),
    })
  })

  it('read and write files of the session while they run', async () => {
    const sandbox = await open({
      copy: command(async ([from = '', to = ''], { readFile, writeFile }) => {
        await writeFile(to, await readFile(from))
        await writeFile('/tmp/deep/note', 'done é')
        return readFile('missing').then(
          () => 'there\n',
          ({ code }: { code: string }) => `${code}\n`,
        )
      }),
    })
    expect(
      await sandbox.execute('mkdir /tmp/d; cd /tmp/d; echo hello > a; copy a b; cat b ../deep/note'),
    ).toEqual(result({ stdout: 'PATH_NOT_FOUND\nhello\ndone é' }))
  })

  it('end with the program that ends them', async () => {
    const { wait: hold, signals } = endless()
    const sandbox = await open({ hold })
    expect(await sandbox.execute('timeout 0.2 hold; echo $?')).toEqual(result({ stdout: '124\n' }))
    await until(() => signals[0]?.aborted === true)
  })

  it('end with their command at its time limit, and the session lives', async () => {
    const { wait: hold, signals } = endless()
    const sandbox = await open({ hold }, { timeout: 1 })
    await sandbox.execute('kept=1')
    expect(await sandbox.execute('hold; echo on')).toEqual(
      result({ exitCode: 124, stderr: 'bash: stopped after 1 s\n', timedOut: true }),
    )
    await until(() => signals[0]?.aborted === true)
    expect(await sandbox.execute('echo $kept')).toEqual(result({ stdout: '1\n' }))
    expect(sandbox.generation).toBe(1)
  })

  it('stop with their call, and the next call does not wait', async () => {
    const { wait: hold, signals } = endless()
    const sandbox = await open({ hold }, { timeout: 60 })
    await sandbox.execute('kept=1')
    const call = endOf(sandbox.execute('hold', { timeout: 0.5 }))
    await until(() => signals.length === 1)
    expect(await call).toEqual(timedOut)
    expect(signals[0]?.aborted).toBe(true)
    expect(await within(60, sandbox.execute('echo $kept'))).toEqual(result({ stdout: '1\n' }))
    expect(sandbox.generation).toBe(1)
  })

  it('settle when the sandbox closes under them', async () => {
    const { wait: hold, signals } = endless()
    const sandbox = await open({ hold }, { timeout: 60 })
    const call = endOf(sandbox.execute('hold'))
    await until(() => signals.length === 1)
    await within(60, sandbox.close())
    expect(await call).toMatchObject({ code: 'CLOSED' })
    expect(signals[0]?.aborted).toBe(true)
  })

  it('cannot reach the files of a command that has ended', async () => {
    let late: Promise<unknown> | undefined
    const sandbox = await open({
      leave: command((_args, { readFile }) => {
        const later = new Promise((resolve) => setImmediate(resolve))
        late = endOf(later.then(() => readFile('/etc/passwd')))
        return ''
      }),
    })
    await sandbox.execute('leave')
    expect(await late).toMatchObject({ code: 'CLOSED' })
  })

  it('have their output and their input bounded', async () => {
    const sandbox = await open(
      { much: command(() => 'é'.repeat(2000)), take: command((args) => `${args.length}\n`) },
      { limits: { maxOutput: 1001 } },
    )
    expect(await sandbox.execute('much | wc -c')).toEqual(
      result({
        stdout: '1000\n',
        stderr: 'much: output is longer than 1001 bytes; the rest was left out\n',
      }),
    )
    expect(await sandbox.execute('take $(seq 1 100001)')).toEqual(
      result({ exitCode: 1, stderr: 'take: Argument list too long\n' }),
    )
  })

  it('run for several sandboxes at once', async () => {
    let running = 0
    let most = 0
    const meet = command(async () => {
      running += 1
      most = Math.max(most, running)
      await until(() => most === 3)
      return 'met\n'
    })
    await using host = new ShellHost({ isolation, maxRunning: 3 })
    const sandboxes = await Promise.all(
      [1, 2, 3].map(() => BashSandbox.open({ commands: { meet } }, { host })),
    )
    expect(await Promise.all(sandboxes.map((sandbox) => sandbox.execute('meet | cat')))).toEqual(
      [1, 2, 3].map(() => result({ stdout: 'met\n' })),
    )
  })

  it('fail at once in an init script', async () => {
    await expect(
      open({ early: command(() => 'x') }, { init: 'early || { cat /dev/null; exit 3; }' }),
    ).rejects.toMatchObject({ field: 'init', message: expect.stringContaining('not in its init script') })
  })
})

describe('commands of the caller under sandbox.sync', () => {
  it('fail at once, and so do those that run', async () => {
    const { wait: hold, signals } = endless()
    const sandbox = await BashSandbox.open({ isolation: 'worker', commands: { hold }, timeout: 60 })
    onTestFinished(() => sandbox.close())
    const message = "hold: a command of the caller cannot run while the caller's thread waits in sandbox.sync"
    expect(sandbox.sync.execute('hold; echo on')).toMatchObject({
      exitCode: 0,
      stdout: 'on\n',
      stderr: expect.stringContaining(message),
    })
    const call = sandbox.execute('hold')
    await until(() => signals.length === 1)
    expect(sandbox.sync.execute('echo next')).toEqual(result({ stdout: 'next\n' }))
    expect(await call).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(message) })
    expect(await sandbox.execute('echo lives')).toEqual(result({ stdout: 'lives\n' }))
  })
})
