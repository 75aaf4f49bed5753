import { describe, expect, it } from 'vitest'
import { SandboxAbortError, SandboxTimeoutError } from '../../src/index.ts'
import { FakeSandbox, sandboxContract } from '../../src/testing/index.ts'

/** Statements of the contract about files that need no command, and those about arguments. */
const kept = new Set([
  'a file round-trips any bytes',
  'an empty file is a file',
  'a large file round-trips',
  'writing replaces what was there, and makes the directories that lead there',
  'writing copies: the caller keeps its buffer',
  'accepts any file name',
  'a listing tells directories from files, hidden ones too, and leaves . and .. out',
  'rejects a missing path with SandboxPathNotFoundError and its path',
  'rejects listing what is not a directory',
  'rejects reading or removing a directory, which stays',
  'text has an encoding, UTF-8 by default',
  'tells whether something is there',
  'makes a directory and those that lead to it; one that is there is fine',
  'moves files and directories, and makes the directories that lead there',
  'a file that is moved or copied replaces a file, and no directory',
  'a directory that is moved or copied replaces nothing, and does not get into itself',
  'appends any bytes, and makes the file and its directories',
  'appends that are made at once lose nothing',
  'moves, copies and removes what has any name',
  'transfers leave out what is excluded, and keep their bounds',
  'rejects invalid names of variables, and runs nothing',
  'rejects invalid names of languages, and runs nothing',
  'rejects timeouts that are not positive numbers',
  'rejects paths that are empty, have a NUL or are not strings',
  'rejects to move or remove the root, and what "." and ".." name',
  'rejects options of transfers that are not known or not valid',
  'rejects contents that are not bytes and commands that are not strings',
])

describe('the sandbox contract (fake)', () => {
  const statements = sandboxContract({ open: () => new FakeSandbox() }).filter(({ title }) => kept.has(title))

  it('has all that a fake keeps', () => {
    expect(statements.map(({ title }) => title).sort()).toEqual([...kept].sort())
  })
  it.each(statements)('$title', ({ run }) => run())
})

const result = (parts: object) => ({
  ...{ type: 'executionResult', exitCode: 0, stdout: '', stderr: '', outputFiles: [] },
  ...{ timedOut: false, truncated: false, durationMs: expect.any(Number) },
  ...parts,
})

describe('a fake', () => {
  it('answers commands by their first word, with functions or outputs, and knows what was asked', async () => {
    const sandbox = new FakeSandbox({
      files: { 'a.txt': 'text', '/b': new Uint8Array([1]) },
      commands: {
        cat: async ({ words: [, path = ''], sandbox: own }) => own.readText(path),
        tests: { exitCode: 1, stderr: 'one failed\n' },
        upper: ({ stdin }) => new TextDecoder().decode(stdin).toUpperCase(),
        where: ({ cwd, env }) => `${cwd} ${env['A']}`,
      },
    })
    expect(await sandbox.execute('cat "a.txt"')).toEqual(result({ stdout: 'text' }))
    expect(await sandbox.execute('tests --all')).toEqual(result({ exitCode: 1, stderr: 'one failed\n' }))
    expect(await sandbox.execute('upper', { stdin: 'é' })).toEqual(result({ stdout: 'É' }))
    expect(await sandbox.execute('where', { cwd: 'sub', env: { A: 'x' } })).toEqual(
      result({ stdout: '/workspace/sub x' }),
    )
    expect(await sandbox.execute('git status')).toEqual(
      result({ exitCode: 127, stderr: 'sh: git: not found\n' }),
    )
    expect(await sandbox.execute('')).toEqual(result({}))
    expect(await sandbox.readFile('/b')).toEqual(new Uint8Array([1]))
    expect(sandbox.calls.map(({ command }) => command)).toEqual([
      'cat "a.txt"',
      'tests --all',
      'upper',
      'where',
      'git status',
      '',
    ])
  })

  it('splits words at blanks and takes quotes off', async () => {
    const sandbox = new FakeSandbox({ commands: { f: ({ words }) => JSON.stringify(words) } })
    const { stdout } = await sandbox.execute(`f  a\\ b 'c "d'"e \\"f" '' $x|g`)
    expect(JSON.parse(stdout)).toEqual(['f', 'a b', 'c "de "f', '', '$x|g'])
  })

  it('plays a script of calls, and refuses another call and one too many', async () => {
    const sandbox = new FakeSandbox({
      commands: [
        { command: 'ls', answer: 'a\n' },
        { command: /^rm /, answer: ({ command }) => ({ stderr: command }) },
      ],
    })
    expect((await sandbox.execute('ls')).stdout).toBe('a\n')
    expect(sandbox.stepsLeft).toBe(1)
    await expect(sandbox.execute('ls')).rejects.toThrow('has the step /^rm /, but got: ls')
    expect(sandbox.stepsLeft).toBe(1)
    expect((await sandbox.execute('rm x')).stderr).toBe('rm x')
    await expect(sandbox.execute('ls')).rejects.toThrow('no step left for: ls')
  })

  it('answers code by its language, and streams as sandboxes do', async () => {
    const sandbox = new FakeSandbox({
      languages: { python3: ({ command }) => ({ stdout: command, stderr: 'e' }) },
    })
    const events = []
    for await (const event of sandbox.executeCodeStreaming('print(1)', 'python3')) events.push(event)
    expect(events).toEqual([
      { type: 'streamChunk', data: 'print(1)', streamType: 'stdout' },
      { type: 'streamChunk', data: 'e', streamType: 'stderr' },
      result({ stdout: 'print(1)', stderr: 'e' }),
    ])
    expect((await sandbox.executeCode('x', 'ruby')).exitCode).toBe(127)
  })

  it('rejects as sandboxes do when a timeout passes, a signal fires or a command throws, and tells the command', async () => {
    const told: unknown[] = []
    const sandbox = new FakeSandbox({
      commands: {
        hang: ({ signal }) =>
          new Promise(() => signal.addEventListener('abort', () => told.push(signal.reason.code))),
        break: () => {
          throw new SandboxTimeoutError('as if')
        },
      },
    })
    await expect(sandbox.execute('hang', { timeout: 0.01 })).rejects.toBeInstanceOf(SandboxTimeoutError)
    const abort = new AbortController()
    const call = sandbox.execute('hang', { signal: abort.signal })
    setImmediate(() => abort.abort())
    await expect(call).rejects.toBeInstanceOf(SandboxAbortError)
    await expect(sandbox.execute('break')).rejects.toThrow('as if')
    await expect(sandbox.execute('hang', { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'ABORTED',
    })
    expect(told).toEqual(['TIMEOUT', 'ABORTED'])
    expect(sandbox.calls).toHaveLength(3)
  })

  it('refuses an option that it does not know', () => {
    const options: object = { file: {} }
    expect(() => new FakeSandbox(options)).toThrow(
      expect.objectContaining({ code: 'INVALID_CONFIG', field: 'file' }),
    )
  })
})
