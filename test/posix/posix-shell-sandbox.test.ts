import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { PosixShellSandbox } from '../../src/posix/index.ts'
import type { ExecuteOptions, ExecutionEvent, ExecutionResult } from '../../src/sandbox/results.ts'
import { factsOf, failureOf } from '../strands-shell/support/failure.ts'
import { temporaryDirectory } from '../strands-shell/support/temporary.ts'
import { result } from './support/result.ts'

/** The most that Linux takes as one argument. */
const longestArgument = 128 * 1024
const run = promisify(execFile)

/** The least that a subclass does: `sh -c` with the command as its argument. */
class ArgumentSandbox extends PosixShellSandbox {
  readonly commands: string[] = []
  readonly #directory: string
  readonly #change: (given: ExecutionResult, command: string) => ExecutionResult

  constructor(
    directory: string,
    change: (given: ExecutionResult, command: string) => ExecutionResult = (given) => given,
  ) {
    super()
    this.#directory = directory
    this.#change = change
  }

  override async *executeStreaming(
    command: string,
    _options?: ExecuteOptions,
  ): AsyncGenerator<ExecutionEvent, void> {
    this.commands.push(command)
    yield this.#change(await this.#execute(command), command)
  }

  async #execute(command: string): Promise<ExecutionResult> {
    try {
      const { stdout, stderr } = await run('sh', ['-c', command], {
        cwd: this.#directory,
        maxBuffer: 2 ** 20,
      })
      return result({ stdout, stderr })
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && typeof error.code === 'number')) throw error
      return result({ exitCode: error.code, stderr: 'stderr' in error ? String(error.stderr) : '' })
    }
  }
}

const noisy = (noise: string) => (given: ExecutionResult) => ({ ...given, stdout: `${noise}${given.stdout}` })

describe('a subclass with executeStreaming alone', () => {
  it('has files of any size, in commands that fit into an argument and an output of a megabyte', async () => {
    const directory = await temporaryDirectory()
    const sandbox = new ArgumentSandbox(directory)
    const content = Buffer.from(Array.from({ length: 1_300_000 }, (_, i) => (i * 7 + (i >> 8)) & 255))
    const name = `${"'".repeat(100)} -x`
    await sandbox.writeFile(`deep/${name}`, content)
    expect(content.equals(readFileSync(join(directory, 'deep', name)))).toBe(true)
    expect(content.equals(await sandbox.readFile(`deep/${name}`))).toBe(true)
    expect(await sandbox.listFiles('deep')).toEqual([{ name, isDir: false }])
    expect(Math.max(...sandbox.commands.map((command) => command.length))).toBeLessThan(
      longestArgument * 0.75,
    )
    await sandbox.removeFile(`deep/${name}`)
    expect(readdirSync(join(directory, 'deep'))).toEqual([])
  })

  it('a file whose size is that of a piece or a multiple is whole', async () => {
    const directory = await temporaryDirectory()
    const sandbox = new ArgumentSandbox(directory)
    for (const size of [48 * 1024, 96 * 1024, 512 * 1024, 1024 * 1024]) {
      await sandbox.writeFile('file', Buffer.alloc(size, 7))
      expect((await sandbox.readFile('file')).length).toBe(size)
    }
  })

  it("runs code as `base64 -d << 'EOF' | <language>`", async () => {
    const sandbox = new ArgumentSandbox(await temporaryDirectory())
    expect(await sandbox.executeCode('echo "$0"', 'sh')).toEqual(result({ stdout: 'sh\n' }))
    expect(sandbox.commands).toEqual([
      `base64 -d << 'EOF' | sh\n${Buffer.from('echo "$0"').toString('base64')}\nEOF`,
    ])
    expect(await factsOf(sandbox.executeCode('', 'sh; id'))).toMatchObject({ field: 'language' })
  })

  it.each([
    ['text', 'Last login: today\n'],
    ['base64', 'QUJD\n'],
    ['what looks like the beginning', '[strands begin]\n'],
    ['a warning without a line break', 'warning'],
  ])(
    'what a profile prints before, %s, is an I/O error that shows it, and not garbage',
    async (_what, noise) => {
      const directory = await temporaryDirectory()
      writeFileSync(join(directory, 'file'), 'content')
      const sandbox = new ArgumentSandbox(directory, noisy(noise))
      for (const [path, call] of [
        ['file', () => sandbox.readFile('file')],
        ['.', () => sandbox.listFiles('.')],
      ] as const) {
        expect(await factsOf(call())).toEqual({ name: 'SandboxIoError', code: 'IO_ERROR', path })
        expect((await failureOf(call())).message).toContain(noise.trim())
      }
    },
  )

  it.each([
    ['cut off', (stdout: string) => stdout.slice(0, -30)],
    ['followed by something', (stdout: string) => `${stdout}bye\n`],
    ['mixed with something', (stdout: string) => stdout.replace(/\n(?=.*\n.*end)/, '\n!')],
    ['empty', () => ''],
  ])('output that is %s is an I/O error', async (_what, change) => {
    const directory = await temporaryDirectory()
    writeFileSync(join(directory, 'file'), 'content'.repeat(100))
    const sandbox = new ArgumentSandbox(directory, (given) => ({ ...given, stdout: change(given.stdout) }))
    for (const call of [() => sandbox.readFile('file'), () => sandbox.listFiles('.')]) {
      expect(await factsOf(call())).toMatchObject({ name: 'SandboxIoError' })
    }
  })

  it('a file that changes while it is read is an I/O error', async () => {
    const directory = await temporaryDirectory()
    const path = join(directory, 'file')
    writeFileSync(path, Buffer.alloc(600_000, 1))
    const sandbox = new ArgumentSandbox(directory, (given) => {
      writeFileSync(path, Buffer.alloc(600_001, 2))
      return given
    })
    const error = await failureOf(sandbox.readFile('file'))
    expect([error.name, error.message]).toEqual([
      'SandboxIoError',
      expect.stringContaining('changed while it was read'),
    ])
  })

  it('a write of which a piece is lost leaves the old file, and nothing beside it', async () => {
    const directory = await temporaryDirectory()
    writeFileSync(join(directory, 'file'), 'old')
    const sandbox = new ArgumentSandbox(directory, (given) => {
      if (sandbox.commands.length === 2) throw new Error('lost')
      return given
    })
    await expect(sandbox.writeFile('file', Buffer.alloc(200_000))).rejects.toThrow('lost')
    expect([readdirSync(directory), readFileSync(join(directory, 'file'), 'utf8')]).toEqual([['file'], 'old'])
  })

  it('a write of which a piece vanishes on the way is an I/O error', async () => {
    const directory = await temporaryDirectory()
    writeFileSync(join(directory, 'file'), 'old')
    const sandbox = new ArgumentSandbox(directory, (given) => {
      const staged = readdirSync(directory).find((name) => name.startsWith('.strands-'))
      if (staged !== undefined && sandbox.commands.length === 2)
        writeFileSync(join(directory, staged), 'less')
      return given
    })
    const error = await failureOf(sandbox.writeFile('file', Buffer.alloc(200_000)))
    expect([error.name, error.message]).toEqual([
      'SandboxIoError',
      expect.stringContaining('not all of the content'),
    ])
    expect([readdirSync(directory), readFileSync(join(directory, 'file'), 'utf8')]).toEqual([['file'], 'old'])
  })
})
