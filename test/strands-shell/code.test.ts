import { describe, expect, it } from 'vitest'
import { type Backend, backends } from './support/backend.ts'
import { result } from './support/expected.ts'
import { factsOf } from './support/failure.ts'

describe.each(backends)('code ($name)', code)

function code(backend: Backend): void {
  it('lua runs, its output and exit code are the result', async () => {
    const sandbox = await backend.open()
    expect(
      await sandbox.executeCode('print("hello", 6 * 7)\nio.stderr:write("note\\n")\nos.exit(3)', 'lua'),
    ).toEqual(result({ exitCode: 3, stdout: 'hello\t42\n', stderr: 'note\n' }))
  })

  it('code shares files and directory with the session', async () => {
    const sandbox = await backend.open()
    await sandbox.execute('mkdir /tmp/work; cd /tmp/work; echo from the shell > file')
    const program =
      'io.write(io.open("file"):read("a")) local f = io.open("made", "w") f:write("by lua") f:close()'
    expect(await sandbox.executeCode(program, 'lua')).toEqual(result({ stdout: 'from the shell\n' }))
    expect(await sandbox.readText('/tmp/work/made')).toBe('by lua')
  })

  it('code of any text arrives as it is', async () => {
    const sandbox = await backend.open()
    const text = '\'"$HOME`x`\\\\ é😀 $a !'
    expect(await sandbox.executeCode(`io.write([==[${text}]==])`, 'lua')).toEqual(result({ stdout: text }))
  })

  it('empty code is a program that does nothing', async () => {
    const sandbox = await backend.open()
    expect(await sandbox.executeCode('', 'lua')).toEqual(result())
  })

  it.each(['python3', 'node', 'no.such-language_1', '__proto__', 'constructor'])(
    'a language that is not there is a result with exit code 127: %s',
    async (language) => {
      const sandbox = await backend.open()
      expect(await sandbox.executeCode('1', language)).toEqual(
        result({ exitCode: 127, stderr: `strands-shell: ${language}: command not found\n` }),
      )
      expect(await sandbox.listFiles('/tmp')).toEqual([])
    },
  )

  it.each([
    '',
    ' ',
    'a b',
    '../lua',
    '/usr/bin/lua',
    '-c',
    '.',
    '..',
    'lua;id',
    'lua\n',
    'lu\0a',
    '$(x)',
    'é',
    'a|b',
  ])('a language that is no name is refused before anything runs: %j', async (language) => {
    const sandbox = backend.create()
    expect(await factsOf(sandbox.executeCode('print(1)', language))).toEqual({
      name: 'SandboxConfigError',
      code: 'INVALID_CONFIG',
      field: 'language',
    })
    expect(sandbox.status).toBe('new')
  })

  it.each([
    ['succeeds', 'print(1)', 0],
    ['fails', 'error("no")', 1],
    ['does not parse', 'if if if', 1],
    ['exits', 'os.exit(9)', 9],
    ['runs into the session’s deadline', 'while true do end', 124],
  ])('the staged file is gone when the code %s', async (_what, program, exitCode) => {
    const sandbox = await backend.open({ timeout: 1 })
    expect((await sandbox.executeCode(program, 'lua')).exitCode).toBe(exitCode)
    expect(await sandbox.listFiles('/tmp')).toEqual([])
  })

  it('the staged file is gone when the caller stopped waiting, once the code has ended', async () => {
    const sandbox = await backend.open({ timeout: 0.5 })
    const call = sandbox.executeCode('while true do end', 'lua', { timeout: 0.05 })
    expect(await factsOf(call)).toMatchObject({ code: 'TIMEOUT' })
    expect(await sandbox.listFiles('/tmp')).toEqual([])
  })

  it('the staged file is gone when the code could not be started in its cwd', async () => {
    const sandbox = await backend.open()
    const failed = await sandbox.executeCode('print(1)', 'lua', { cwd: '/no/such/place' })
    expect(failed).toEqual(result({ exitCode: 1, stderr: failed.stderr }))
    expect(failed.stderr).toContain('/no/such/place')
    expect(await sandbox.listFiles('/tmp')).toEqual([])
  })

  it('the staged file is gone when the code removed it itself', async () => {
    const sandbox = await backend.open()
    expect(await sandbox.executeCode('os.execute("rm /tmp/*") print("removed")', 'lua')).toEqual(
      result({ stdout: 'removed\n' }),
    )
    expect(await sandbox.listFiles('/tmp')).toEqual([])
  })

  it('code that is too large to be staged is a result with exit code 1 that says so, and leaves no file', async () => {
    const sandbox = await backend.open({ limits: { maxFileSize: 50 } })
    const failed = await sandbox.executeCode(`print(1) --${'x'.repeat(100)}`, 'lua')
    expect(failed).toEqual(result({ exitCode: 1, stderr: failed.stderr }))
    expect(failed.stderr).toMatch(/could not be staged/)
    expect(failed.stderr).toMatch(/maxFileSize/)
    expect(await sandbox.listFiles('/tmp')).toEqual([])
    expect(await sandbox.executeCode('print(1)', 'lua')).toEqual(result({ stdout: '1\n' }))
  })

  it('code that finds no free inode is a result with exit code 1 that says so', async () => {
    const sandbox = await backend.open({ limits: { maxInodes: 20 } })
    await sandbox.execute('i=0; while [ $i -lt 40 ]; do : > /tmp/f$i; i=$((i+1)); done')
    const failed = await sandbox.executeCode('print(1)', 'lua')
    expect(failed).toEqual(result({ exitCode: 1, stderr: failed.stderr }))
    expect(failed.stderr).toMatch(/could not be staged/)
  })

  it('staged files of programs that run one after another never meet', async () => {
    const sandbox = await backend.open()
    const programs = Array.from({ length: 20 }, (_, i) => sandbox.executeCode(`print(${i})`, 'lua'))
    expect(await Promise.all(programs)).toEqual(programs.map((_, i) => result({ stdout: `${i}\n` })))
    expect(await sandbox.listFiles('/tmp')).toEqual([])
  })

  it('code with a NUL or half a surrogate pair is refused', async () => {
    const sandbox = backend.create()
    for (const text of ['print(1)\0', 'print("\ud800")']) {
      expect(await factsOf(sandbox.executeCode(text, 'lua'))).toEqual({
        name: 'SandboxConfigError',
        code: 'INVALID_CONFIG',
        field: 'code',
      })
    }
  })
}
