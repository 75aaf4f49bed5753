import { expect, it } from 'vitest'
import { describeEngines, type HostedEngine } from '../support/describe-engines.ts'
import { result } from './support/expected.ts'
import { factsOf } from './support/failure.ts'

describeEngines('code', code)

function code(engine: HostedEngine): void {
  const { language } = engine

  it('runs a program, and its output and exit code are the result', async () => {
    const sandbox = await engine.open()
    expect(
      await sandbox.executeCode(
        [language.print('hello\t42'), language.printError('note'), language.exit(3)].join('\n'),
        language.name,
      ),
    ).toEqual(result({ exitCode: 3, stdout: 'hello\t42', stderr: 'note' }))
  })

  it('code shares files and directory with the session', async () => {
    const sandbox = await engine.open()
    await sandbox.execute('mkdir /tmp/work; cd /tmp/work; echo from the shell > file')
    const program = [language.printFile('file'), language.writeFile('made', 'by the program')].join('\n')
    expect(await sandbox.executeCode(program, language.name)).toEqual(result({ stdout: 'from the shell\n' }))
    expect(await sandbox.readText('/tmp/work/made')).toBe('by the program')
  })

  it('passes code of any text unchanged', async () => {
    const sandbox = await engine.open()
    const text = '\'"$HOME`x`\\\\ é😀 $a !'
    expect(await sandbox.executeCode(language.print(text), language.name)).toEqual(result({ stdout: text }))
  })

  it('empty code gives an empty result', async () => {
    const sandbox = await engine.open()
    expect(await sandbox.executeCode('', language.name)).toEqual(result())
  })

  it.skipIf(engine.capabilities.ofMachine).each([
    ['awk', 'BEGIN { print "it\'s" }', {}, "it's\n"],
    ['awk', '{ s += $1 } END { print s, NR, FILENAME }', { stdin: '1\n2\n' }, '3 2 \n'],
    ['awk', '{ n++ } END { print n + 0 }', {}, '0\n'],
    ['jq', '[1 + 1, input]', { stdin: '"in"' }, '[\n  2,\n  "in"\n]\n'],
  ] as const)('runs %s: %s', async (name, program, options, stdout) => {
    const sandbox = await engine.open()
    expect(await sandbox.executeCode(program, name, options)).toEqual(result({ stdout }))
    expect(await sandbox.executeCode(program, name, { ...options, cwd: '/tmp' })).toEqual(result({ stdout }))
    expect(await sandbox.listFiles('/tmp')).toEqual([])
  })

  const languages = ['no.such-language_1', '__proto__', 'constructor']
  it.each(engine.capabilities.ofMachine ? languages : ['python3', 'node', ...languages])(
    'an unknown language gives exit code 127: %s',
    async (missing) => {
      const sandbox = await engine.open()
      expect(await sandbox.executeCode('1', missing)).toEqual(
        result({ exitCode: 127, stderr: engine.messages.notFound(missing) }),
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
  ])('rejects the language %j before anything runs', async (odd) => {
    const sandbox = engine.create()
    expect(await factsOf(sandbox.executeCode('', odd))).toEqual({
      name: 'SandboxConfigError',
      code: 'INVALID_CONFIG',
      field: 'language',
    })
    expect(sandbox.status).toBe('new')
  })

  it.each([
    ['succeeds', language.print('1'), 0],
    ['fails', language.failing, 1],
    ['does not parse', language.unparsable.code, language.unparsable.exitCode],
    ['exits', language.exit(9), 9],
    ['runs into the session’s deadline', language.endless, 124],
  ])('the staged file is gone when the code %s', async (_what, program, exitCode) => {
    const sandbox = await engine.open({ timeout: exitCode === 124 ? 1 : 60 })
    expect((await sandbox.executeCode(program, language.name)).exitCode).toBe(exitCode)
    expect(await sandbox.listFiles('/tmp')).toEqual([])
  })

  it('the staged file is gone when the caller stopped waiting, once the code has ended', async () => {
    const sandbox = await engine.open({ timeout: 1 })
    const call = sandbox.executeCode(language.endless, language.name, { timeout: 0.05 })
    expect(await factsOf(call)).toMatchObject({ code: 'TIMEOUT' })
    expect(await sandbox.listFiles('/tmp')).toEqual([])
  })

  it('the staged file is gone when the code could not be started in its cwd', async () => {
    const sandbox = await engine.open()
    const failed = await sandbox.executeCode(language.print('1'), language.name, { cwd: '/no/such/place' })
    expect(failed).toEqual(result({ exitCode: 1, stderr: failed.stderr }))
    expect(failed.stderr).toContain('/no/such/place')
    expect(await sandbox.listFiles('/tmp')).toEqual([])
  })

  it.runIf(language.staged)('the staged file is gone when the code removed it itself', async () => {
    const sandbox = await engine.open()
    expect(
      await sandbox.executeCode(
        [language.shell('rm /tmp/*'), language.print('removed')].join('\n'),
        language.name,
      ),
    ).toEqual(result({ stdout: 'removed' }))
    expect(await sandbox.listFiles('/tmp')).toEqual([])
  })

  it.runIf(language.staged)(
    'code that is too large to be staged is a result with exit code 1 that says so, and leaves no file',
    async () => {
      const sandbox = await engine.open({ limits: { maxFileSize: 50 } })
      const failed = await sandbox.executeCode(language.comment('x'.repeat(100)), language.name)
      expect(failed).toEqual(result({ exitCode: 1, stderr: failed.stderr }))
      expect(failed.stderr).toMatch(/could not be staged/)
      expect(failed.stderr).toMatch(/maxFileSize/)
      expect(await sandbox.listFiles('/tmp')).toEqual([])
      expect(await sandbox.executeCode(language.print('1'), language.name)).toEqual(result({ stdout: '1' }))
    },
  )

  it.runIf(engine.capabilities.maxInodes)(
    'code that finds no free inode is a result with exit code 1 that says so',
    async () => {
      const sandbox = await engine.open({ limits: { maxInodes: 20 } })
      await sandbox.execute('i=0; while [ $i -lt 40 ]; do : > /tmp/f$i; i=$((i+1)); done')
      const failed = await sandbox.executeCode(language.print('1'), language.name)
      expect(failed).toEqual(result({ exitCode: 1, stderr: failed.stderr }))
      expect(failed.stderr).toMatch(/could not be staged/)
    },
  )

  it('programs that run one after another never share a staged file', async () => {
    const sandbox = await engine.open()
    const programs = Array.from({ length: 20 }, (_, i) =>
      sandbox.executeCode(language.print(`${i}`), language.name),
    )
    expect(await Promise.all(programs)).toEqual(programs.map((_, i) => result({ stdout: `${i}` })))
    expect(await sandbox.listFiles('/tmp')).toEqual([])
  })

  it('rejects code with a NUL or a lone surrogate', async () => {
    const sandbox = engine.create()
    for (const text of ['print(1)\0', 'print("\ud800")']) {
      expect(await factsOf(sandbox.executeCode(text, language.name))).toEqual({
        name: 'SandboxConfigError',
        code: 'INVALID_CONFIG',
        field: 'code',
      })
    }
  })
}
