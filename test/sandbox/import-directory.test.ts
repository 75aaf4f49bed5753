import { chmod, mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { FileStat } from '../../src/contract/shell-api.ts'
import type { ExecutionResult } from '../../src/sandbox/results.ts'
import { importDirectory } from '../../src/sandbox/transfer/import-directory.ts'
import { resolveTransfer, type TransferOptions } from '../../src/sandbox/transfer/request.ts'
import type { TransferSandbox } from '../../src/sandbox/transfer/transfer.ts'

/** Keeps what it is given. */
class KeepingSandbox implements TransferSandbox {
  readonly files = new Map<string, string>()
  readonly directories: string[] = []
  readonly commands: unknown[] = []
  onWrite: (path: string) => Promise<void> = async () => undefined

  async execute(command: string, options: unknown): Promise<ExecutionResult> {
    this.commands.push([command, options])
    const facts = { timedOut: false, truncated: false, durationMs: 0 } as const
    return { type: 'executionResult', exitCode: 0, stdout: '', stderr: '', outputFiles: [], ...facts }
  }

  listFiles(): never {
    throw new Error('An import lists nothing.')
  }

  async stat(): Promise<FileStat> {
    throw new Error('An import looks at nothing.')
  }

  readFile(): never {
    throw new Error('An import reads nothing.')
  }

  async writeFile(path: string, content: Uint8Array) {
    await this.onWrite(path)
    this.files.set(path, Buffer.from(content).toString())
  }

  async makeDirectory(path: string) {
    this.directories.push(path)
  }
}

let outer: string
let host: string
let sandbox: KeepingSandbox
const take = (options?: TransferOptions) => importDirectory(sandbox, resolveTransfer(host, '/in', options))

beforeEach(async () => {
  outer = await mkdtemp(join(tmpdir(), 'import-'))
  host = join(outer, 'host')
  await mkdir(host)
  sandbox = new KeepingSandbox()
})
afterEach(() => rm(outer, { recursive: true, force: true }))

it('links and sockets are skipped, wherever a link leads', async () => {
  await mkdir(join(outer, 'outside'))
  await writeFile(join(outer, 'outside', 'secret'), 'secret')
  await writeFile(join(host, 'file'), 'text')
  await symlink('../outside', join(host, 'a'))
  await symlink('../outside/secret', join(host, 'b'))
  await symlink('file', join(host, 'c'))
  await symlink('none', join(host, 'd'))
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(join(host, 'socket'), resolve))
  try {
    expect(await take()).toEqual({
      files: 1,
      directories: 0,
      bytes: 4,
      skipped: [
        ...['a', 'b', 'c', 'd'].map((path) => ({ path, reason: 'link' })),
        { path: 'socket', reason: 'special' },
      ],
    })
  } finally {
    await new Promise((resolve) => server.close(resolve))
  }
  expect([...sandbox.files]).toEqual([['/in/file', 'text']])
})

it('a directory that becomes a link in the meantime is read as it was, or skipped', async () => {
  await mkdir(join(outer, 'outside'))
  for (const name of ['x', 'y']) await writeFile(join(outer, 'outside', name), 'secret')
  await mkdir(join(host, 'sub'))
  for (const name of ['x', 'y']) await writeFile(join(host, 'sub', name), 'own')
  sandbox.onWrite = async (path) => {
    if (path !== '/in/sub/x') return
    await rm(join(host, 'sub'), { recursive: true })
    await symlink('../outside', join(host, 'sub'))
  }
  expect((await take()).skipped).toEqual([{ path: 'sub/y', reason: 'gone' }])
  expect([...sandbox.files]).toEqual([['/in/sub/x', 'own']])
})

it('excluded entries neither count nor are looked into', async () => {
  await mkdir(join(host, 'node_modules', 'deep'), { recursive: true })
  for (let index = 0; index < 20; index++) await writeFile(join(host, `${index}.log`), '')
  await writeFile(join(host, 'kept.log'), 'x')
  const report = await take({ exclude: ['node_modules/', '*.log', '!kept.log'], maxFiles: 1 })
  expect(report).toEqual({ files: 1, directories: 0, bytes: 1, skipped: [] })
  expect([...sandbox.files.keys(), ...sandbox.directories]).toEqual(['/in/kept.log', '/in'])
})

it('bounds hold before a large file is read, and what was copied before stays', async () => {
  await writeFile(join(host, 'a'), 'text')
  await writeFile(join(host, 'b'), '')
  await truncate(join(host, 'b'), 2 ** 40)
  await expect(take()).rejects.toMatchObject({ limit: 'maxBytes', value: 2 ** 28 })
  await expect(take({ maxFiles: 1 })).rejects.toMatchObject({ limit: 'maxFiles', value: 1 })
  expect([...sandbox.files.keys()]).toEqual(['/in/a'])
})

it('empty directories are made, and those of files are left to their files', async () => {
  await mkdir(join(host, 'a', 'b'), { recursive: true })
  await mkdir(join(host, 'c'))
  await writeFile(join(host, 'c', 'file'), '')
  expect(await take()).toEqual({ files: 1, directories: 3, bytes: 0, skipped: [] })
  expect(sandbox.directories).toEqual(['/in', '/in/a/b', '/in/a'])
})

it('executable files are made executable with a command that leaves nothing in a session', async () => {
  await writeFile(join(host, "it's"), '')
  await chmod(join(host, "it's"), 0o755)
  await take()
  expect(sandbox.commands).toEqual([[String.raw`chmod +x '/in/it'\''s'`, { env: { LC_ALL: 'C' } }]])
})

it('names that are no UTF-8 are skipped', async () => {
  await writeFile(Buffer.concat([Buffer.from(`${host}/`), Buffer.of(0x61, 0xff)]), 'x')
  expect((await take()).skipped).toEqual([{ path: 'a\ufffd', reason: 'name' }])
  await writeFile(Buffer.concat([Buffer.from(`${host}/`), Buffer.of(0x61, 0xfe)]), 'y')
  await writeFile(join(host, 'a\ufffd'), 'z')
  const { files, skipped } = await take()
  expect({ files, skipped }).toEqual({
    files: 1,
    skipped: Array(2).fill({ path: 'a\ufffd', reason: 'name' }),
  })
})

it('an abort rejects while the sandbox does not answer', async () => {
  await writeFile(join(host, 'a'), '')
  const abort = new AbortController()
  sandbox.onWrite = () => {
    abort.abort()
    return new Promise(() => undefined)
  }
  await expect(take({ signal: abort.signal })).rejects.toMatchObject({ code: 'ABORTED' })
})
