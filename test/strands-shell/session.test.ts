import { expect, it } from 'vitest'
import { describeEngines, type HostedEngine } from '../support/describe-engines.ts'
import { isFull } from '../support/tier.ts'
import { result } from './support/expected.ts'

describeEngines('the session', session)

function session(engine: HostedEngine): void {
  it('begins in the home directory with these variables and no others', async () => {
    const sandbox = await engine.open()
    expect(await sandbox.execute('pwd; env | sort')).toEqual(
      result({ stdout: `${[engine.fresh.home, ...engine.fresh.environment].join('\n')}\n` }),
    )
  })

  it('keeps directory, variables, functions, aliases, umask and arguments from call to call', async () => {
    const sandbox = await engine.open()
    await sandbox.execute('cd /tmp')
    await sandbox.execute("plain='a  b'; export exported=c")
    await sandbox.execute('greet() { echo "hello $1"; }')
    await sandbox.execute(engine.capabilities.aliases)
    await sandbox.execute('alias shout="echo HEY"')
    await sandbox.execute('umask 077; set -- one two')
    expect(
      await sandbox.execute('pwd; echo "$plain$exported"; greet you; shout now; umask; echo "$#:$2"'),
    ).toEqual(result({ stdout: '/tmp\na  bc\nhello you\nHEY now\n0077\n2:two\n' }))
  })

  it('keeps its state after a command that fails, exits, or does not parse', async () => {
    const sandbox = await engine.open()
    await sandbox.execute('cd /tmp; kept=yes')
    const failures = ['false', 'exit 7', "echo 'unterminated", 'if', 'no-such-command']
    const codes: number[] = []
    for (const command of failures) codes.push((await sandbox.execute(command)).exitCode)
    expect(codes).toEqual([1, 7, engine.syntaxError, engine.syntaxError, 127])
    expect(await sandbox.execute('pwd; echo "$kept"')).toEqual(result({ stdout: '/tmp\nyes\n' }))
  })

  it('keeps `$?` from one call to the next', async () => {
    const sandbox = await engine.open()
    await sandbox.execute('(exit 42)')
    expect(await sandbox.execute('echo $?')).toEqual(result({ stdout: '42\n' }))
  })

  it('keeps `$?` through file operations and everything else that is no command', async () => {
    const sandbox = await engine.open()
    await sandbox.execute('(exit 42)')
    await sandbox.writeText('/tmp/file', 'x')
    await sandbox.readText('/tmp/file')
    await sandbox.listFiles('/tmp')
    await sandbox.move('/tmp/file', '/tmp/moved')
    await sandbox.copy('/tmp/moved', '/tmp/file')
    await sandbox.stat('/tmp/file')
    await sandbox.makeDirectory('/tmp/made')
    await sandbox.execute('(exit 5)', { env: { SCOPED: 'yes' } })
    await sandbox.removeFile('/tmp/file')
    await sandbox.setEnv('A', await sandbox.getEnv('HOME').then(String))
    await sandbox.describe()
    expect(await sandbox.execute('echo $?')).toEqual(result({ stdout: '42\n' }))
  })

  it('keeps `set -u` from one call to the next and reports what it refuses', async () => {
    const sandbox = await engine.open()
    await sandbox.execute('set -u')
    const refused = await sandbox.execute('echo "$NOT_SET"')
    expect({ ...refused, exitCode: refused.exitCode > 0 }).toEqual({
      ...result({ stderr: engine.messages.notSet('NOT_SET') }),
      exitCode: true,
    })
  })

  it('config.env gives the session its variables, literally', async () => {
    const value = 'it\'s "$HOME" `x` \\\n\t*'
    const sandbox = await engine.open({ env: { LITERAL: value, EMPTY: '' } })
    expect(await sandbox.execute('printf "%s" "$LITERAL[$EMPTY]"')).toEqual(result({ stdout: `${value}[]` }))
    expect(await sandbox.getEnv('EMPTY')).toBe('')
  })

  it.runIf(engine.capabilities.umask)('config.umask is the mask of the session', async () => {
    const sandbox = await engine.open({ umask: 0o077 })
    expect(await sandbox.execute('umask')).toEqual(result({ stdout: '0077\n' }))
  })

  it('stdout and stderr are separate and complete', async () => {
    const sandbox = await engine.open()
    expect(
      await sandbox.execute('echo out; echo err >&2; echo out again; echo err again >&2; exit 5'),
    ).toEqual(result({ exitCode: 5, stdout: 'out\nout again\n', stderr: 'err\nerr again\n' }))
  })

  it('every exit code from 0 to 255 is reported unchanged', async () => {
    const sandbox = await engine.open()
    const every = Array.from({ length: 256 }, (_, code) => code)
    // Those that shells give a meaning, and a share of the others.
    const codes = every.filter(
      (code) => isFull || code < 4 || code % 16 === 0 || (code > 123 && code < 131) || code === 255,
    )
    const results = await Promise.all(codes.map((code) => sandbox.execute(`exit ${code}`)))
    expect(results).toEqual(codes.map((exitCode) => result({ exitCode })))
  })

  it('an exit code outside that range is taken modulo 256, as by every shell', async () => {
    const sandbox = await engine.open()
    const results = await Promise.all(
      ['exit 256', 'exit 300', 'exit -1', '(exit 511)'].map((command) => sandbox.execute(command)),
    )
    expect(results.map(({ exitCode }) => exitCode)).toEqual([0, 44, 255, 255])
  })

  it('an empty command, a comment and blank lines give empty results', async () => {
    const sandbox = await engine.open()
    const results = await Promise.all(
      ['', ' ', '\n\n', '# nothing'].map((command) => sandbox.execute(command)),
    )
    expect(results).toEqual([result(), result(), result(), result()])
  })

  it.each([
    ['expands variables', 'x=1\ncat <<E\n[$x]\nE\n', '[1]\n'],
    ['is literal with a quoted delimiter', "x=1\ncat <<'E'\n[$x] `y` \\\nE\n", '[$x] `y` \\\n'],
    ['drops leading tabs with `<<-`', 'cat <<-E\n\tone\n\tE\necho two', 'one\ntwo\n'],
    ['feeds a pipeline', 'cat <<E | tr a-z A-Z\nabc\nE', 'ABC\n'],
    [
      'may lack its delimiter at the end of the command',
      'cat <<E\nabc',
      'abc\n',
      engine.messages.openHereDocument('E'),
    ],
  ])('a here-document %s', async (_what, command, stdout, stderr = '') => {
    const sandbox = await engine.open()
    expect(await sandbox.execute(command)).toEqual(result({ stdout, stderr }))
  })

  it('text outside ASCII passes through commands, variables, files and output unchanged', async () => {
    const sandbox = await engine.open()
    const text = 'żółć 漢字 😀 e\u0301 \u202e \ufeff'
    await sandbox.execute(`v='${text}'; printf '%s' "$v" > '/tmp/${text}'`)
    expect(await sandbox.execute(`cat '/tmp/${text}'; printf '%s' "$v"`)).toEqual(
      result({ stdout: text + text }),
    )
    expect(await sandbox.listFiles('/tmp')).toEqual([
      { name: text, isDir: false, size: new TextEncoder().encode(text).length },
    ])
  })
}
