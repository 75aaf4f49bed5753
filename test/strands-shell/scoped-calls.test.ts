import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { ExecuteOptions } from '../../src/index.ts'
import { codePoint } from '../support/code-point.ts'
import { describeEngines, type HostedEngine } from '../support/describe-engines.ts'
import type { EngineSandbox } from '../support/engines.ts'
import { cases } from '../support/tier.ts'
import { result } from './support/expected.ts'

/** Everything of a session that a call could change, but for `$?`. Quoted: some sessions here have an alias. */
const stateCommand = 'pwd; env; alias; umask; trap; echo "[$-][$#][$*]"; \'set\''
const scope: ExecuteOptions = { cwd: '/tmp', env: { SCOPED: "it's  here" } }

describeEngines('a call with cwd or env', scopedCalls)

function scopedCalls(engine: HostedEngine): void {
  const { language, messages, syntaxError } = engine

  it('runs in that directory with those variables, and leaves the session’s own unchanged', async () => {
    const sandbox = await engine.open()
    const command = 'pwd; echo "[$SCOPED]"'
    expect(await sandbox.execute(command, scope)).toEqual(result({ stdout: "/tmp\n[it's  here]\n" }))
    expect(await sandbox.execute(command)).toEqual(result({ stdout: `${engine.fresh.home}\n[]\n` }))
  })

  it('sees the session’s variables, functions and aliases', async () => {
    const sandbox = await engine.open()
    await sandbox.execute(engine.capabilities.aliases)
    await sandbox.execute('v=1; f() { echo "f $1"; }\nalias g="echo g"')
    expect(await sandbox.execute('echo $v; f x; g y', scope)).toEqual(result({ stdout: '1\nf x\ng y\n' }))
  })

  it('any value without NUL arrives literally', async () => {
    const sandbox = await engine.open()
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: codePoint, maxLength: 60 }).filter((value) => !value.includes('\0')),
        async (value) => {
          const given = await sandbox.execute('printf "%s" "$VALUE"', { env: { VALUE: value } })
          expect(given).toEqual(result({ stdout: value }))
        },
      ),
      {
        numRuns: cases(100),
        examples: [["'"], ['\n\n'], ['$(echo no)'], ['`no`'], ['\\'], ["'\\''"], [''], ['"'], ['\r\n']],
      },
    )
  })

  it('any name of a variable is set, whatever the session holds', async () => {
    const sandbox = await engine.open()
    await fc.assert(
      fc.asyncProperty(
        fc
          .stringMatching(/^[a-zA-Z_][a-zA-Z0-9_]{0,12}$/)
          .filter((name) => name !== '__proto__' && name !== '_'),
        async (name) => {
          expect(await sandbox.execute(`printf "%s" "$${name}"`, { env: { [name]: 'v' } })).toEqual(
            result({ stdout: 'v' }),
          )
        },
      ),
      {
        numRuns: cases(50),
        examples: [['PATH'], ['HOME'], ['IFS'], ['PWD'], ['OLDPWD'], ['PS4'], ['ENV'], ['a']],
      },
    )
  })

  it('a hundred variables arrive at once', async () => {
    const sandbox = await engine.open()
    const env = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`VARIABLE_${i}`, `value '${i}'`]))
    const expected = Object.entries(env).map(([name, value]) => `${name}=${value}\n`)
    const { stdout } = await sandbox.execute('env | grep ^VARIABLE_', { env })
    expect(stdout.split(/(?<=\n)/).sort()).toEqual(expected.sort())
  })

  it('enters a directory of any name', async () => {
    const sandbox = await engine.open()
    const names = [
      "it's",
      '-',
      '-P',
      '--',
      '~',
      '$HOME',
      '*',
      'a b',
      '\\',
      'żółć 😀',
      '"',
      '`x`',
      '{a,b}',
      'line\nbreak',
      'cr\r\nlf',
    ]
    for (const name of names) await sandbox.writeText(`/tmp/place/${name}/here`, name)
    await sandbox.execute('cd /tmp; cd /tmp/place')
    const results: unknown[] = []
    for (const cwd of names) results.push(await sandbox.execute('cat here', { cwd }))
    expect(results).toEqual(names.map((name) => result({ stdout: name })))
  })

  it('resolves a relative cwd against the session’s directory', async () => {
    const sandbox = await engine.open()
    await sandbox.execute('mkdir -p /tmp/a/b; cd /tmp/a')
    const seen = await Promise.all(
      ['b', '.', '..', './b/../b', '/'].map((cwd) => sandbox.execute('pwd', { cwd })),
    )
    expect(seen.map(({ stdout }) => stdout)).toEqual([
      '/tmp/a/b\n',
      '/tmp/a\n',
      '/tmp\n',
      '/tmp/a/b\n',
      '/\n',
    ])
  })

  it.each([
    ['does not exist', '/no/such/place'],
    ['is a file', '/tmp/file'],
  ])(
    'a cwd that %s is a result with exit code 1 that names it, and the command does not run',
    async (_what, cwd) => {
      const sandbox = await engine.open()
      await sandbox.writeText('/tmp/file', '')
      const failed = await sandbox.execute('echo ran; echo ran > /tmp/ran', { cwd, env: { A: 'b' } })
      expect(failed).toEqual(result({ exitCode: 1, stderr: failed.stderr }))
      expect(failed.stderr).toContain(cwd)
      expect((await sandbox.listFiles('/tmp')).map(({ name }) => name)).toEqual(['file'])
    },
  )

  it('a variable that the session made readonly is refused with its name, and the command does not run', async () => {
    const sandbox = await engine.open()
    await sandbox.execute('readonly FIXED=1')
    const failed = await sandbox.execute('echo ran', { env: { FIXED: '2' } })
    expect(failed).toEqual(result({ exitCode: failed.exitCode, stderr: failed.stderr }))
    expect([failed.exitCode > 0, failed.stderr.includes('FIXED')]).toEqual([true, true])
  })

  it.each([
    ['`exit` gives its code', 'echo a; exit 7; echo b', { exitCode: 7, stdout: 'a\n' }],
    ['the last command gives the code', 'true; false', { exitCode: 1 }],
    ['`$?` works in it', 'false; echo $?; (exit 5); echo $?', { stdout: '1\n5\n' }],
    ['a missing command is 127', 'nope', { exitCode: 127, stderr: messages.notFound('nope') }],
    ['an open quote is an error', "echo 'a", { exitCode: syntaxError, stderr: messages.openQuote }],
    ['a stray bracket is an error', 'echo a)', { exitCode: syntaxError, stderr: messages.strayBracket }],
    ['a comment at its end hides nothing', 'echo a # ) && echo b', { stdout: 'a\n' }],
    ['an empty command is nothing', '', {}],
    ['a pipeline works', 'echo abc | tr a-z A-Z', { stdout: 'ABC\n' }],
    ['`set -e` ends it at a failure', 'set -e; false; echo no', { exitCode: 1 }],
    ['`exec` runs the rest', 'exec echo a', { stdout: 'a\n' }],
    ['several lines run in order', 'a=1\nb=2\necho $((a + b))\n', { stdout: '3\n' }],
    ['stdout and stderr come apart', 'echo o; echo e >&2', { stdout: 'o\n', stderr: 'e\n' }],
    ['a here-document works', 'x=1\ncat <<E\n[$x$SCOPED]\nE\n', { stdout: "[1it's  here]\n" }],
    [
      'a literal here-document works',
      "cat <<'E'\n[$x] `y` \\\nE\necho end",
      { stdout: '[$x] `y` \\\nend\n' },
    ],
    ['a here-document of a pipeline works', 'cat <<E | tr a-z A-Z\nabc\nE', { stdout: 'ABC\n' }],
  ])('output and exit code are the command’s own: %s', async (_what, command, expected) => {
    const sandbox = await engine.open()
    expect(await sandbox.execute(command, scope)).toEqual(result(expected))
  })

  it('runs a here-document of 20,000 lines', async () => {
    const sandbox = await engine.open({ timeout: 10 })
    const lines = Array.from({ length: 20_000 }, (_, i) => `line ${i}\n`).join('')
    const written = await sandbox.execute(`cat > /tmp/long <<'E'\n${lines}E`, scope)
    expect(written).toEqual(result())
    expect(await sandbox.readText('/tmp/long')).toBe(lines)
  })

  it('leaves nothing in the session but files', async () => {
    const sandbox = await engine.open()
    await expectNothingStays(sandbox, async () => {
      await sandbox.execute(
        'cd /; A=1; export B=2; unset HOME; f() { :; }; alias g=h; umask 077; set -eu; set -- x y; echo file > /tmp/file',
        scope,
      )
      expect(await sandbox.readText('/tmp/file')).toBe('file\n')
    })
    expect((await sandbox.execute('f')).exitCode).toBe(127)
  })

  it.each([
    ['fails', 'A=1; cd /; false'],
    ['exits', 'A=1; cd /; exit 3'],
    ['sets -eu and trips over it', 'A=1; cd /; set -eu; echo $NOT_SET; echo no'],
    ['does not parse', 'A=1\ncd /\nif'],
    ['has an open quote', "A=1; cd /; echo 'a"],
    ['replaces the shell', 'A=1; cd /; exec echo a'],
    ['makes variables readonly', 'readonly A=1 SCOPED; cd /'],
    ['has an open here-document', 'A=1; cd /; cat <<E\nabc'],
    ['recurses without end', 'A=1; f() { f; }; f'],
    ['is empty', ''],
  ])('leaves nothing in the session when it %s', async (_what, command) => {
    const sandbox = await engine.open()
    await expectNothingStays(sandbox, () => sandbox.execute(command, scope))
  })

  it('leaves nothing in the session when it exceeds the session’s timeout', async () => {
    const sandbox = await engine.open({ timeout: 3 })
    await expectNothingStays(sandbox, async () => {
      expect(await sandbox.execute('cd /; A=1; echo before; sleep 60', scope)).toEqual(
        result({ exitCode: 124, stdout: 'before\n', stderr: messages.deadline(3), timedOut: true }),
      )
    })
  })

  it('leaves nothing in the session when its caller stops waiting', async () => {
    const sandbox = await engine.open()
    await expectNothingStays(sandbox, async () => {
      const call = sandbox.execute('cd /; A=1; sleep 0.2; A=2', { ...scope, timeout: 0.05 })
      await expect(call).rejects.toMatchObject({ code: 'TIMEOUT' })
    })
  })

  it('leaves nothing in the session after a hundred of them at once', async () => {
    const sandbox = await engine.open()
    await expectNothingStays(sandbox, () =>
      Promise.all(Array.from({ length: 100 }, (_, i) => sandbox.execute(`A=${i}; cd /`, scope))),
    )
  })

  it('sees no variable of the runtime’s own', async () => {
    const sandbox = await engine.open()
    await sandbox.execute('true', scope)
    const plain = (await sandbox.execute('env')).stdout
    const { stdout } = await sandbox.execute('env', { env: { ADDED: 'yes' } })
    expect(stdout.split('\n').sort()).toEqual([...plain.split('\n'), 'ADDED=yes'].sort())
  })

  it.each([
    [
      'cd, export, eval and unset as aliases',
      'alias cd="echo ALIAS" export="echo ALIAS" eval="echo ALIAS" unset="echo ALIAS"',
    ],
    [
      'set, test, true and command as aliases',
      'alias set="echo ALIAS" test="echo ALIAS" true="echo ALIAS" command="echo ALIAS"',
    ],
    ['`set -e`', 'set -e'],
    ['`set -u`', 'set -u'],
    ['`set -eu`', 'set -eu'],
    ['an odd IFS', 'IFS=abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789'],
    ['no PATH', 'PATH='],
    ['no variables', 'unset PATH HOME PWD USER'],
    ['a CDPATH', 'CDPATH=/usr:/tmp'],
  ])('works, and leaves nothing, in a session with %s', async (_what, setup) => {
    const sandbox = await engine.open()
    expect(await sandbox.execute(setup)).toEqual(result())
    await expectNothingStays(sandbox, async () => {
      expect(await sandbox.execute('pwd; echo "$SCOPED"; exit 3', scope)).toEqual(
        result({ exitCode: 3, stdout: "/tmp\nit's  here\n" }),
      )
    })
  })

  it('scopes the code of a program in the same way', async () => {
    const sandbox = await engine.open()
    await sandbox.writeText('/tmp/data', 'from the directory')
    await expectNothingStays(sandbox, async () => {
      const code = [language.printFile('data'), language.printVariable('SCOPED')].join('\n')
      expect(await sandbox.executeCode(code, language.name, scope)).toEqual(
        result({ stdout: "from the directoryit's  here" }),
      )
    })
  })

  it('runs in the session itself when env is empty', async () => {
    const sandbox = await engine.open()
    await sandbox.execute('kept=1', { env: {} })
    expect(await sandbox.getEnv('kept')).toBe('1')
  })

  it('reads its options when it is made, and ignores later changes of them', async () => {
    const sandbox = await engine.open()
    const env = { CHANGING: 'before' }
    const options = { cwd: '/tmp', env }
    const call = sandbox.execute('pwd; echo "$CHANGING"', options)
    env.CHANGING = 'after'
    options.cwd = '/'
    expect(await call).toEqual(result({ stdout: '/tmp\nbefore\n' }))
  })
}

/** Variables that bash makes itself: it lists some once they were read. */
const dynamic =
  /^(?:BASHPID|BASH_\w+|EPOCH\w+|S?RANDOM|SECONDS|LINENO|HISTCMD|DIRSTACK|GROUPS|EUID|FUNCNAME|COMP_WORDBREAKS)=.*\n/gm

async function stateOf(sandbox: EngineSandbox): Promise<string> {
  const { stdout, stderr } = await sandbox.execute(stateCommand)
  const state = stdout + stderr
  return sandbox.shell === 'jail' ? state.replace(dynamic, '') : state
}

async function expectNothingStays(sandbox: EngineSandbox, call: () => Promise<unknown>): Promise<void> {
  const before = await stateOf(sandbox)
  await call()
  expect(await stateOf(sandbox)).toBe(before)
}
