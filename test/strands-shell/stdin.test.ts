import { expect, it } from 'vitest'
import { SandboxLimitError } from '../../src/index.ts'
import {
  describeEngines,
  type HostedEngine,
  levelsOrThread,
  threadLevels,
} from '../support/describe-engines.ts'
import { result } from './support/expected.ts'

describeEngines('standard input', standardInput, levelsOrThread)

function standardInput(engine: HostedEngine): void {
  it('is read by the session: what a command sets and where it goes stay', async () => {
    const sandbox = await engine.open()
    await sandbox.execute('cd /tmp; read -r kept; mkdir -p sub; cd sub; f() { echo f; }', {
      stdin: 'one two\n',
    })
    expect(await sandbox.execute('echo "$kept"; pwd; f')).toEqual(
      result({ stdout: 'one two\n/tmp/sub\nf\n' }),
    )
    expect((await sandbox.execute('read -r next; echo "[$next]"')).stdout).toBe('[]\n')
  })

  it('leaves no file behind, and status and directory as they are', async () => {
    const sandbox = await engine.open()
    await sandbox.execute('cd /tmp')
    const before = await sandbox.listFiles('/tmp')
    expect(await sandbox.execute('cat > in; (exit 7)', { stdin: 'text' })).toEqual(result({ exitCode: 7 }))
    expect(await sandbox.execute('echo $?; cat in; rm in')).toEqual(result({ stdout: '7\ntext' }))
    await sandbox.executeCode('cat', 'sh', { stdin: 'x' })
    expect(await sandbox.listFiles('/tmp')).toEqual(before)
  })

  it.each([
    ['an unfinished command', 'if true'],
    ['a stray brace', 'echo a; }'],
    ['a stray parenthesis', 'echo a )'],
  ])('%s is a failure, as without', async (_what, command) => {
    const sandbox = await engine.open()
    const without = await sandbox.execute(command)
    const given = await sandbox.execute(command, { stdin: 'x\n' })
    expect([given.exitCode, given.stdout]).toEqual([without.exitCode, without.stdout])
    expect(given.exitCode).not.toBe(0)
    expect(await sandbox.execute('echo works')).toEqual(result({ stdout: 'works\n' }))
  })

  it.each([
    ['a here-document', 'cat; cat << END\n$(echo doc)\nEND', 'in\ndoc\n'],
    ['a comment at its end', 'cat # a comment', 'in\n'],
    ['a redirection of its own', 'cat; echo own > /tmp/own; cat < /tmp/own', 'in\nown\n'],
    ['quotes and a backslash', `v="it's"; cat; printf '%s %s' "$v" 'a\\b'`, "in\nit's a\\b"],
    ['a pipe', 'cat | cat; echo end', 'in\nend\n'],
    ['an early end', 'cat; exit 0; echo never', 'in\n'],
  ])('reaches a command with %s', async (_what, command, stdout) => {
    const sandbox = await engine.open()
    expect(await sandbox.execute(command, { stdin: 'in\n' })).toEqual(result({ stdout }))
    expect(await sandbox.execute(command, { stdin: 'in\n', cwd: '/tmp' })).toEqual(result({ stdout }))
  })

  it.runIf(engine.name === 'bash').each([
    ['a subshell', '(read -r a; echo "<$a>")', '<a>\n'],
    ['a substitution', 'read -r a; echo "<$(cat)>"', '<b\nc>\n'],
    ['a pipe in a loop', 'while read -r l; do echo "$l" | tr a-z A-Z; done', 'A\nB\nC\n'],
    ['a command behind a here-document', 'cat << END\n$(echo doc)\nEND\ncat', 'doc\na\nb\nc\n'],
    ['a command behind another file', 'echo own > /tmp/own; cat < /tmp/own; cat', 'own\na\nb\nc\n'],
  ])('reaches %s', async (_what, command, stdout) => {
    const sandbox = await engine.open()
    expect(await sandbox.execute(command, { stdin: 'a\nb\nc\n' })).toEqual(result({ stdout }))
  })

  it('is the input of a program in another language', async () => {
    const sandbox = await engine.open()
    const [code, language] =
      engine.name === 'strands' ? ['print(io.read())', 'lua'] : ['{ print NR ": " $0 }', 'awk']
    const { stdout } = await sandbox.executeCode(code, language, { stdin: 'line\n' })
    expect(stdout).toBe(engine.name === 'strands' ? 'line\n' : '1: line\n')
  })

  it.runIf(engine.name === 'strands')(
    'that is larger than a file may be rejects, and runs nothing',
    async () => {
      const sandbox = await engine.open({ limits: { maxFileSize: 1000 } })
      const call = sandbox.execute('echo ran > /tmp/ran', { stdin: new Uint8Array(1001) })
      const refused = await call.catch((error: unknown) => error)
      expect(refused).toBeInstanceOf(SandboxLimitError)
      expect(refused).toMatchObject({ limit: 'limits.maxFileSize', value: 1000 })
      expect((await sandbox.execute('test -e /tmp/ran')).exitCode).toBe(1)
    },
  )

  it('waits in line with its call', async () => {
    const sandbox = await engine.open()
    const calls = [1, 2, 3].map((n) => sandbox.execute('cat', { stdin: `${n}\n` }))
    expect(await Promise.all(calls)).toEqual([1, 2, 3].map((n) => result({ stdout: `${n}\n` })))
  })
}

describeEngines(
  'standard input of synchronous calls',
  (engine) => {
    it('is the same', async () => {
      const sandbox = await engine.open()
      const stdin = new TextEncoder().encode('one\ntwo\n')
      expect(sandbox.sync.execute('read -r a; cat; echo "$a"', { stdin })).toEqual(
        result({ stdout: 'two\none\n' }),
      )
      expect(stdin.byteLength).toBe(8)
    })
  },
  threadLevels,
)
