import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CommandSandbox, localShell } from '../../src/posix/index.ts'
import { factsOf } from '../strands-shell/support/failure.ts'
import { temporaryDirectory } from '../strands-shell/support/temporary.ts'
import { codePoint } from '../support/code-point.ts'
import { byTier } from '../support/tier.ts'
import { describePlaces } from './support/places.ts'
import { collect, result } from './support/result.ts'

describePlaces('commands', (place) => {
  const runs = byTier({ default: 12, full: place.name === 'ssh' ? 15 : 60 })

  it.each([
    [
      'output of both streams and the exit code',
      'echo out; echo err >&2; exit 3',
      { exitCode: 3, stdout: 'out\n', stderr: 'err\n' },
    ],
    ['no output', ':', {}],
    ['output without a line break at the end', 'printf a; printf b >&2', { stdout: 'a', stderr: 'b' }],
    ['nothing on standard input', 'cat; read -r x || echo none', { stdout: 'none\n' }],
    ['no arguments', 'echo $# "$@"', { stdout: '0\n' }],
    ['the exit code 255', 'exit 255', { exitCode: 255 }],
    ['a killed command as 128 and the signal', 'kill -KILL $$', { exitCode: 137 }],
    ['an interrupted command too', 'sh -c "kill -INT \\$\\$"; echo $?', { stdout: '130\n' }],
    ['a here-document', 'cat << X\na $((1+1))\nX\n', { stdout: 'a 2\n' }],
    ['a line break, a comment and an empty line', '\n# comment\n\necho a\n# end', { stdout: 'a\n' }],
    ['a missing command as 127', 'nope-nope 2> /dev/null', { exitCode: 127 }],
    ['its own end of output', 'exec >&- 2>&-; exit 4', { exitCode: 4 }],
    ['a group that it kills', 'trap "" TERM; kill 0; echo alive', { stdout: 'alive\n' }],
    ['a session’s worth of arguments', 'set -- a b; shift; echo "$*"', { stdout: 'b\n' }],
  ])('gives %s', async (_what, command, expected) => {
    expect(await place.open().execute(command)).toEqual(result(expected))
  })

  it('a syntax error is a result', async () => {
    const { exitCode, stdout, stderr } = await place.open().execute('echo (')
    expect([exitCode > 0, stdout, /syntax/i.test(stderr)]).toEqual([true, '', true])
  })

  it('any value of a variable arrives unchanged, in every stage of a pipeline', async () => {
    const sandbox = place.open()
    await fc.assert(
      fc.asyncProperty(
        fc
          .string({ unit: codePoint, maxLength: 60 })
          .filter((value) => !value.includes('\0') && value.isWellFormed()),
        async (value) => {
          const given = await sandbox.execute(`true | sh -c 'printf "%s|" "$VALUE"'; printf "%s" "$VALUE"`, {
            env: { VALUE: value },
          })
          expect(given).toEqual(result({ stdout: `${value}|${value}` }))
        },
      ),
      {
        numRuns: runs,
        examples: [["'"], ['\n\n'], ['$(echo no)'], ['`no`'], ['\\'], ["'\\''"], [''], ['!'], ['\r\n']],
      },
    )
  })

  it('a command and a value of a megabyte arrive', async () => {
    const long = 'x'.repeat(1_000_000)
    const given = await place.open().execute(`v='${long}'; echo \${#v} \${#E}`, { env: { E: long } })
    expect(given).toEqual(result({ stdout: '1000000 1000000\n' }))
  })

  it('variables and directory hold for one call, over those of the sandbox', async () => {
    const sandbox = place.open({ cwd: '/usr', env: { A: 'sandbox', B: 'sandbox' } })
    const command = 'pwd; echo "$A $B"'
    const call = { cwd: '/tmp', env: { A: 'call' } }
    expect(await sandbox.execute(command, call)).toEqual(result({ stdout: '/tmp\ncall sandbox\n' }))
    expect(await sandbox.execute(command)).toEqual(result({ stdout: '/usr\nsandbox sandbox\n' }))
    expect(await sandbox.execute('pwd', { cwd: 'bin/..' })).toEqual(result({ stdout: '/usr\n' }))
  })

  it.each(['/no/such/place', '/etc/passwd', '-'])(
    'a cwd that is no directory, %j, is a result with exit code 1 that names it, and the command does not run',
    async (cwd) => {
      const failed = await place.open().execute('echo ran\necho ran', { cwd, env: { A: 'b' } })
      expect(failed).toEqual(result({ exitCode: 1, stderr: failed.stderr }))
      expect(failed.stderr).toContain(cwd)
    },
  )

  it('code arrives as it is, on the interpreter’s standard input', async () => {
    const sandbox = place.open()
    const code = `printf '%s\\n' "it's" '$HOME' "\\$x" 'EOF'\nEOF=1\necho "$A"`
    expect(await sandbox.executeCode(code, 'sh', { env: { A: 'a b' } })).toEqual(
      result({ stdout: "it's\n$HOME\n$x\nEOF\na b\n" }),
    )
    expect(await sandbox.executeCode('', 'sh')).toEqual(result())
    expect(await sandbox.executeCode('exit 9', 'sh')).toEqual(result({ exitCode: 9 }))
    expect((await sandbox.executeCode('x', 'no-such-language')).exitCode).toBe(127)
  })

  it('a character is never split, even when its bytes come apart', async () => {
    const command = `printf '\\360\\237'; sleep 0.3; printf '\\230\\200'; printf '\\303' >&2; sleep 0.1; printf '\\251' >&2`
    const events = await collect(place.open().executeStreaming(command))
    expect(events).toEqual([
      { type: 'streamChunk', data: '😀', streamType: 'stdout' },
      { type: 'streamChunk', data: 'é', streamType: 'stderr' },
      result({ stdout: '😀', stderr: 'é' }),
    ])
  })

  it('output arrives while the command runs', async () => {
    const controller = new AbortController()
    const events = place.open().executeStreaming('echo first; sleep 4321', { signal: controller.signal })
    expect(await events.next()).toEqual({
      done: false,
      value: { type: 'streamChunk', data: 'first\n', streamType: 'stdout' },
    })
    controller.abort()
    await expect(events.next()).rejects.toMatchObject({ code: 'ABORTED', stdout: 'first\n' })
    expect(await events.next()).toEqual({ done: true, value: undefined })
  })

  it('chunks put together are the result', async () => {
    const command =
      'i=0; while [ $i -lt 300 ]; do echo "out $i żółć"; echo "err $i" >&2; i=$((i+1)); done; printf end'
    const events = await collect(place.open().executeStreaming(command))
    const text = (stream: string) =>
      events
        .map((event) => (event.type === 'streamChunk' && event.streamType === stream ? event.data : ''))
        .join('')
    expect(events.at(-1)).toEqual(result({ stdout: text('stdout'), stderr: text('stderr') }))
    expect(text('stdout')).toMatch(/^out 0 żółć\n[\s\S]*out 299 żółć\nend$/)
  })

  it('output past maxOutput is counted and dropped, between characters, and the command goes on', async () => {
    const sandbox = place.open({ maxOutput: 5 })
    const events = await collect(
      sandbox.executeStreaming('printf ééé; printf 123456 >&2; echo done > /dev/null'),
    )
    const note =
      '\nsandbox: stdout truncated: kept 4 of 6 bytes (maxOutput)\nsandbox: stderr truncated: kept 5 of 6 bytes (maxOutput)\n'
    const truncated = { stdout: 2, stderr: 1 }
    expect(events.at(-1)).toEqual(result({ stdout: 'éé', stderr: `12345${note}`, truncated }))
    expect(events.at(-2)).toEqual({ type: 'streamChunk', data: note, streamType: 'stderr' })
    expect(await sandbox.execute('printf 12345; printf 12345 >&2')).toEqual(
      result({ stdout: '12345', stderr: '12345' }),
    )
  })

  it('a flood neither blocks the command nor fills the memory', async () => {
    const sandbox = place.open({ maxOutput: 1000 })
    const before = process.memoryUsage.rss()
    const size = 100_000_000
    const given = await sandbox.execute(`head -c ${size} /dev/zero | tr '\\0' x; echo end >&2`)
    expect([given.stdout, given.stderr]).toEqual([
      'x'.repeat(1000),
      `end\nsandbox: stdout truncated: kept 1000 of ${size} bytes (maxOutput)\n`,
    ])
    expect(process.memoryUsage.rss() - before).toBeLessThan(size)
  })

  it('what is left in the background goes on, and does not hold the call up', async () => {
    const sandbox = place.open({ cwd: place.directory })
    const command = '{ sleep 1; echo late > left; } & echo now'
    expect(await sandbox.execute(command)).toEqual(result({ stdout: 'now\n' }))
    const { stdout } = await sandbox.execute('while [ ! -s left ]; do sleep 0.1; done; cat left', {
      timeout: 30,
    })
    expect(stdout).toBe('late\n')
  })

  it('many calls at once keep their output to themselves', async () => {
    const sandbox = place.open()
    const count = byTier({ default: 30, full: place.name === 'ssh' ? 30 : 100 })
    const numbers = Array.from({ length: count }, (_, i) => i)
    const given = await Promise.all(
      numbers.map((i) => sandbox.execute(`echo ${i}; echo e${i} >&2; exit ${i}`)),
    )
    expect(given).toEqual(numbers.map((i) => result({ exitCode: i, stdout: `${i}\n`, stderr: `e${i}\n` })))
  })

  it('nothing of a command is to be seen in a list of processes, values of variables least of all', async () => {
    const options = { env: { TOKEN: 'secret-value' } }
    const { stdout } = await place.open().execute('ps -eo args; : secret-command', options)
    expect(stdout).toContain('ps -eo args')
    expect(stdout).not.toMatch(/secret-(value|command)/)
  })

  it('arguments that are none are refused', async () => {
    const sandbox = place.open()
    const refused = (field: string) => ({ name: 'SandboxConfigError', code: 'INVALID_CONFIG', field })
    expect(await factsOf(sandbox.execute('a\0b'))).toEqual(refused('command'))
    expect(await factsOf(sandbox.executeCode('a\0b', 'sh'))).toEqual(refused('code'))
    expect(await factsOf(sandbox.execute('env', { env: { 'A;B': '' } }))).toEqual(refused('env["A;B"]'))
    expect(await factsOf(sandbox.execute('env', { timeout: 0 }))).toEqual(refused('timeout'))
    for (const language of ['', 'a b', '/bin/sh', '-c', '..', 'sh;id']) {
      expect(await factsOf(sandbox.executeCode('', language))).toEqual(refused('language'))
    }
    const mistyped: object = { timout: 1 }
    expect(await factsOf(sandbox.execute('echo a', mistyped))).toEqual(refused('timout'))
  })
})

describe('the environment of a local shell', () => {
  const names = (stdout: string) =>
    stdout
      .split('\n')
      .map((line) => line.replace(/=.*/, ''))
      .filter((name) => name !== '')
  const harmless = /^(PATH|HOME|LANG|LC_[A-Z]+|TERM|TZ|TMPDIR|USER|LOGNAME|SHELL|PWD|OLDPWD|SHLVL|_)$/

  it.each(['sh', 'bash'])(
    'has a few harmless variables of this process, and no secrets (%s)',
    async (shell) => {
      process.env['A_SECRET'] = 'hidden'
      process.env['LC_TIME'] = 'C'
      try {
        const { stdout } = await localShell({ shell }).execute('env')
        expect(names(stdout).filter((name) => !harmless.test(name))).toEqual([])
        expect(names(stdout)).toEqual(expect.arrayContaining(['PATH', 'LC_TIME']))
        const some = await localShell({ shell, inheritEnv: ['A_SECRET'] }).execute('echo $A_SECRET')
        expect(some.stdout).toBe('hidden\n')
        const all = await localShell({ shell, inheritEnv: true }).execute('env')
        expect(names(all.stdout)).toEqual(expect.arrayContaining(['A_SECRET', 'LC_TIME']))
      } finally {
        delete process.env['A_SECRET']
        delete process.env['LC_TIME']
      }
    },
  )

  it('bash reads no startup file', async () => {
    const home = await temporaryDirectory()
    writeFileSync(join(home, '.bashrc'), 'echo noise; export FROM_BASHRC=1')
    const { HOME } = process.env
    process.env['HOME'] = home
    try {
      expect(await localShell({ shell: 'bash' }).execute('echo "[$FROM_BASHRC]"')).toEqual(
        result({ stdout: '[]\n' }),
      )
    } finally {
      process.env['HOME'] = HOME
    }
  })

  it('a client gets what it needs to find its server', async () => {
    process.env['DOCKER_HOST'] = 'tcp://nowhere'
    process.env['SSH_AUTH_SOCK'] = '/nowhere'
    const directory = await temporaryDirectory()
    writeFileSync(join(directory, 'docker'), '#!/bin/sh\nexec "$@"\n', { mode: 0o755 })
    try {
      const sandbox = new CommandSandbox({ command: [join(directory, 'docker')] })
      expect(await sandbox.execute('echo "$DOCKER_HOST [$SSH_AUTH_SOCK]"')).toEqual(
        result({ stdout: 'tcp://nowhere []\n' }),
      )
    } finally {
      delete process.env['DOCKER_HOST']
      delete process.env['SSH_AUTH_SOCK']
    }
  })
})
