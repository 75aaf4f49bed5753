import { existsSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { SandboxIoError } from '../../../src/sandbox/errors.ts'
import { localSandbox, temporaryDirectory } from '../helpers.ts'

describe('LocalSandbox.exec', () => {
  it.each([
    ['an argv', ['printf', '%s|', 'a b', '', '*', '$HOME'], { output: 'a b||*|$HOME|', exitCode: 0 }],
    [
      'a pipeline of `sh -c`',
      ['sh', '-c', 'echo hello | tr h j && echo world'],
      { output: 'jello\nworld', exitCode: 0 },
    ],
    ['an exit code', ['sh', '-c', 'exit 7'], { output: '', exitCode: 7 }],
    [
      'standard output, then standard error',
      ['sh', '-c', 'echo e >&2; echo o'],
      { output: 'o\ne', exitCode: 0 },
    ],
    ['output without blanks at its ends', ['printf', '\n a \n\n'], { output: 'a', exitCode: 0 }],
    ['an empty argv', [], { output: '', exitCode: 2 }],
    [
      'no such program',
      ['no-such-program-x'],
      { output: 'Command not found: "no-such-program-x"', exitCode: 127 },
    ],
    ['a program without a name', [''], { output: 'Command not found: ""', exitCode: 127 }],
    ['a directory as a program', ['/'], { output: 'Command cannot be run: "/" (EACCES)', exitCode: 126 }],
    ['a death by SIGKILL', ['sh', '-c', 'kill -9 $$'], { output: '', exitCode: 137 }],
    ['a death by SIGTERM', ['sh', '-c', 'kill -15 $$'], { output: '', exitCode: 143 }],
    ['bytes that are no text', ['printf', String.raw`a\377b\303`], { output: 'a\ufffdb\ufffd', exitCode: 0 }],
    ['no standard input', ['cat'], { output: '', exitCode: 0 }],
  ])('runs %s', async (_, argv, expected) => {
    expect(await localSandbox().exec(argv)).toMatchObject(expected)
  })

  it('runs in the workdir', async () => {
    const path = temporaryDirectory()
    writeFileSync(join(path, 'marker'), 'here')
    const sandbox = localSandbox({ path })
    expect(await sandbox.exec(['cat', 'marker'])).toMatchObject({ output: 'here', exitCode: 0 })
    expect(await sandbox.exec(['pwd', '-P'])).toMatchObject({ output: path, exitCode: 0 })
  })

  it('makes a workdir that somebody removed again', async () => {
    const path = join(temporaryDirectory(), 'deep/er')
    const sandbox = localSandbox({ path })
    expect(await sandbox.exec(['pwd'])).toMatchObject({ output: path, exitCode: 0 })
    rmSync(dirname(path), { recursive: true })
    expect(await sandbox.exec(['pwd'])).toMatchObject({ output: path, exitCode: 0 })
  })

  it('says that a workdir cannot be used, and does not take it for a missing program', async () => {
    const directory = temporaryDirectory()
    writeFileSync(join(directory, 'file'), '')
    const path = join(directory, 'file/below')
    const failure = await localSandbox({ path })
      .exec(['echo'])
      .catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(SandboxIoError)
    expect(failure).toMatchObject({
      path,
      message: expect.stringContaining(`The workdir ${path} cannot be used`),
    })
  })

  it('merges the variables of a call over those of the sandbox, and keeps PATH', async () => {
    const sandbox = localSandbox({ env: { A: 'sandbox', B: 'sandbox' } })
    const { output } = await sandbox.exec(['sh', '-c', 'echo "$A $B"; test -n "$PATH" && echo path'], {
      env: { B: "call's $X" },
    })
    expect(output).toBe("sandbox call's $X\npath")
  })

  it.each([
    ['only harmless variables', undefined, ['PATH', 'LC_ALL']],
    ['also those it is asked for', ['MY_TOKEN'], ['PATH', 'LC_ALL', 'MY_TOKEN']],
    ['all where that is asked for', true as const, ['PATH', 'LC_ALL', 'MY_TOKEN', 'OTHER_SECRET']],
  ])('inherits %s', async (_, inheritEnv, expected) => {
    for (const name of ['LC_ALL', 'MY_TOKEN', 'OTHER_SECRET']) vi.stubEnv(name, 'C')
    const { output } = await localSandbox({ inheritEnv }).exec(['env'])
    vi.unstubAllEnvs()
    const names = output.split('\n').map((line) => line.split('=')[0])
    const looked = ['PATH', 'LC_ALL', 'MY_TOKEN', 'OTHER_SECRET']
    expect(looked.filter((name) => names.includes(name))).toEqual(expected)
  })

  it('keeps the first characters of long output, and says how many there were', async () => {
    const sandbox = localSandbox({ maxOutput: 10 })
    const ten = await sandbox.exec(['printf', '\n0123456789\n\n'])
    expect(ten).toMatchObject({ output: '0123456789', exitCode: 0 })
    expect(await sandbox.exec(['printf', '  01234é678💥9 ab  '])).toMatchObject({
      output: '01234é678💥\n[truncated: showing first 10 of 14 chars]',
      exitCode: 0,
    })
  })

  it('tells of what ran whether its time was over, what was left out, and how long it took', async () => {
    const sandbox = localSandbox({ maxOutput: 3 })
    const durationMs = expect.any(Number)
    expect(await sandbox.exec(['printf', 'abc'])).toEqual({
      ...{ output: 'abc', exitCode: 0, timedOut: false, truncated: false, durationMs },
    })
    expect(await sandbox.exec(['sh', '-c', 'echo 12345; exec sleep 60'], { timeout: 0.3 })).toEqual({
      output: '123\n[truncated: showing first 3 of 5 chars]\nCommand timed out after 0.3s',
      ...{ exitCode: 124, timedOut: true, truncated: { characters: 2 }, durationMs },
    })
    expect((await sandbox.exec(['sh', '-c', 'echo "timed out"; exit 124'])).timedOut).toBe(false)
    expect(await sandbox.exec([])).toEqual({ output: '', exitCode: 2 })
  })

  it('reads all that a program wrote, however much', async () => {
    const { output, exitCode } = await localSandbox({ maxOutput: 5 }).exec([
      'sh',
      '-c',
      'head -c 3000000 /dev/zero | tr "\\0" x; sleep 60 &',
    ])
    expect({ output, exitCode }).toEqual({
      output: 'xxxxx\n[truncated: showing first 5 of 3000000 chars]',
      exitCode: 0,
    })
  })

  it('reads all that a program wrote, however busy this thread is', async () => {
    const busy = setInterval(() => {
      for (const started = performance.now(); performance.now() - started < 150; );
    })
    const sandbox = localSandbox()
    const { output } = await sandbox.exec(['sh', '-c', 'head -c 60000 /dev/zero | tr "\\0" x; sleep 56 &'])
    clearInterval(busy)
    expect(output.length).toBe(60_000)
  })

  it('has a temporary workdir that close() removes, made at its first use', async () => {
    const sandbox = localSandbox()
    const { workdir } = sandbox
    expect(workdir).toBe(realpathSync(workdir))
    expect(sandbox.hostWorkdir).toBe(workdir)
    expect(existsSync(workdir)).toBe(true)
    await sandbox.close()
    expect(existsSync(workdir)).toBe(false)
  })

  it.each([
    [undefined, true],
    [false, true],
    [true, false],
  ])('with cleanup %s, a given workdir is there after close(): %s', async (cleanup, isThere) => {
    const path = join(temporaryDirectory(), 'given')
    mkdirSync(path)
    const sandbox = localSandbox({ path, cleanup })
    await sandbox.exec(['true'])
    await sandbox.close()
    expect(existsSync(path)).toBe(isThere)
  })

  it('says which languages it supports', () => {
    expect(localSandbox().supportedLanguages).toEqual(['python', 'bash'])
    expect(localSandbox({ languages: ['lua'] }).supportedLanguages).toEqual(['lua'])
  })
})
