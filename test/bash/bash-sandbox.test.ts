import { describe, expect, it, onTestFinished } from 'vitest'
import { type BashConfig, BashSandbox } from '../../src/bash/index.ts'
import { ShellHost } from '../../src/index.ts'
import { endOf, timedOut, until, within } from '../faults/helpers.ts'
import { result } from '../strands-shell/support/expected.ts'
import { levelsOrThread } from '../support/describe-engines.ts'

const endless = 'while :; do :; done'

describe.each(levelsOrThread)('a bash sandbox (%s)', (isolation) => {
  async function open(config: BashConfig = {}): Promise<BashSandbox> {
    const sandbox = await BashSandbox.open({ isolation, ...config })
    onTestFinished(() => sandbox.close())
    return sandbox
  }

  it('begins with the files, the directory and the script of its config', async () => {
    const sandbox = await open({
      files: { '/data/sales.csv': 'a,2\nb,3\n', '/data/bytes': new Uint8Array([0, 255]) },
      cwd: '/data/out',
      init: 'ready=yes; greet() { echo "hello $1"; }',
    })
    expect(
      await sandbox.execute(
        `awk -F, '{ s += $2 } END { print s }' ../sales.csv | tee total; [[ -s total ]] && greet "$ready"; pwd`,
      ),
    ).toEqual(result({ stdout: '5\nhello yes\n/data/out\n' }))
    expect(await sandbox.readFile('/data/bytes')).toEqual(new Uint8Array([0, 255]))
  })

  it('keeps arrays, functions, options, aliases and the directory from call to call', async () => {
    const sandbox = await open()
    await sandbox.execute('cd /tmp; list=(a "b c"); declare -A map=([k]="v w"); twice() { echo "$1$1"; }')
    await sandbox.execute('shopt -s expand_aliases; alias shout="echo HEY"; set -- one two; (exit 42)')
    expect(
      await sandbox.execute('echo $?; pwd; echo "${#list[@]} ${list[1]} ${map[k]}"; twice x; echo "$#:$2"'),
    ).toEqual(result({ stdout: '42\n/tmp\n2 b c v w\nxx\n2:two\n' }))
    expect(await sandbox.execute('shout')).toEqual(result({ stdout: 'HEY\n' }))
  })

  it('ends a command with its exit code and keeps the session', async () => {
    const sandbox = await open()
    expect(await sandbox.execute('kept=1; exit 7')).toEqual(result({ exitCode: 7 }))
    expect(await sandbox.execute('echo "$kept"')).toEqual(result({ stdout: '1\n' }))
  })

  it('ends a command at its time limit with 124 and keeps the session', async () => {
    const sandbox = await open({ timeout: 1 })
    await sandbox.execute('kept=1; echo x > file')
    for (const command of [endless, "awk 'BEGIN { while (1) i++ }'", 'sleep 60']) {
      expect((await sandbox.execute(command)).exitCode).toBe(124)
    }
    expect(await sandbox.execute('echo "$kept $(cat file)"')).toEqual(result({ stdout: '1 x\n' }))
    expect(sandbox.generation).toBe(1)
  })

  it('stops a command whose caller gave up, and keeps the session', async () => {
    const sandbox = await open({ timeout: 60 })
    await sandbox.execute('kept=1')
    for (const command of [endless, 'sleep 60']) {
      expect(await endOf(sandbox.execute(command, { timeout: 0.2 }))).toEqual(timedOut)
      expect(await within(60, sandbox.execute('echo "$kept"'))).toEqual(result({ stdout: '1\n' }))
    }
    expect(sandbox.generation).toBe(1)
  })

  it('scopes a call with a directory or variables', async () => {
    const sandbox = await open()
    expect(await sandbox.execute('pwd; echo "$A"; B=1', { cwd: '/tmp', env: { A: '$HOME' } })).toEqual(
      result({ stdout: '/tmp\n$HOME\n' }),
    )
    expect(await sandbox.execute('pwd; echo "$A$B"')).toEqual(result({ stdout: '/home/user\n\n' }))
  })

  it('tells what is at a path', async () => {
    const sandbox = await open({ cwd: '/work' })
    await sandbox.execute(
      'printf 12345 > run; chmod 751 run; touch -d @1000 run; ln -s run link; mkdir -m 700 dir',
    )
    expect(await sandbox.stat('run')).toEqual({ kind: 'file', size: 5, mode: 0o751, modified: 1_000_000 })
    expect(await sandbox.stat('/work/link')).toMatchObject({ kind: 'link' })
    expect(await sandbox.stat('dir')).toMatchObject({ kind: 'directory', mode: 0o700 })
    await expect(sandbox.stat('none')).rejects.toMatchObject({ code: 'PATH_NOT_FOUND' })
  })

  it('rejects an init script that fails, with its output', async () => {
    await expect(BashSandbox.open({ isolation, init: 'echo no >&2; exit 3' })).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      field: 'init',
      message: expect.stringMatching(/exit code 3.*no/s),
    })
  })
})

describe('a bash sandbox', () => {
  it('of a shared worker leaves its thread when it is closed under a command', async () => {
    await using host = new ShellHost({ isolation: 'shared' })
    const sandbox = await BashSandbox.open({ timeout: 60 }, { host })
    const neighbour = await BashSandbox.open({}, { host })
    const running = endOf(sandbox.execute(endless))
    await until(() => host.stats().running === 1)
    await sandbox.close()
    expect(await running).toMatchObject({ code: 'CLOSED' })
    expect(await within(60, neighbour.execute('echo lives'))).toEqual(result({ stdout: 'lives\n' }))
  })

  it('shares a host with Strands Shell, each in workers of its own', async () => {
    await using host = new ShellHost({ isolation: 'worker' })
    const bash = await BashSandbox.open({}, { host })
    const strands = await host.open()
    expect(await Promise.all([bash, strands].map((one) => one.execute('pwd')))).toEqual([
      result({ stdout: '/home/user\n' }),
      result({ stdout: '/home/lash\n' }),
    ])
    expect(host.stats()).toMatchObject({ open: 2, workers: 2 })
  })

  it('answers synchronous calls', async () => {
    await using sandbox = await BashSandbox.open()
    expect(sandbox.sync.execute('echo "${RANDOM:+yes}"')).toEqual(result({ stdout: 'yes\n' }))
  })

  it('stops a synchronous call whose time is up, and keeps the session', async () => {
    await using sandbox = await BashSandbox.open({ timeout: 60 })
    await sandbox.execute('kept=1')
    for (const command of [endless, 'sleep 60']) {
      expect(() => sandbox.sync.execute(command, { timeout: 0.2 })).toThrow(expect.objectContaining(timedOut))
      expect(await within(60, sandbox.execute('echo "$kept"'))).toEqual(result({ stdout: '1\n' }))
    }
    expect(sandbox.generation).toBe(1)
  })

  it('has no changes to tell where nothing is bound', async () => {
    await using sandbox = await BashSandbox.open()
    expect(await sandbox.changes()).toMatchObject({ changes: [] })
  })
})
