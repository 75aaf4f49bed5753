import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { FileStat } from '../../src/contract/shell-api.ts'
import { SandboxLimitError, SandboxPermissionError } from '../../src/sandbox/errors.ts'
import { exportDirectory } from '../../src/sandbox/transfer/export-directory.ts'
import { resolveTransfer, type TransferOptions } from '../../src/sandbox/transfer/request.ts'
import type { TransferSandbox } from '../../src/sandbox/transfer/transfer.ts'

const file = (size = 4, mode = 0o644): FileStat => ({ kind: 'file', size, mode, modified: 0 })
const directory: FileStat = { kind: 'directory', size: 0, mode: 0o755, modified: 0 }

/** A sandbox that says of its files what it likes. */
class LyingSandbox implements TransferSandbox {
  listed: (path: string) => readonly { readonly name: string }[] = () => []
  stated: (path: string) => FileStat = () => file()
  content: (path: string) => Uint8Array = () => Buffer.from('text')
  readonly read: string[] = []

  execute(): never {
    throw new Error('An export runs no command.')
  }

  async listFiles(path: string) {
    return [...this.listed(path)]
  }

  async stat(path: string) {
    return this.stated(path)
  }

  async readFile(path: string) {
    this.read.push(path)
    return this.content(path)
  }

  writeFile(): never {
    throw new Error('An export writes nothing in the sandbox.')
  }

  makeDirectory(): never {
    throw new Error('An export makes nothing in the sandbox.')
  }
}

let host: string
let target: string
let sandbox: LyingSandbox
const give = (options?: TransferOptions) => exportDirectory(sandbox, resolveTransfer(target, '/out', options))
const names = (...list: string[]) => list.map((name) => ({ name }))

beforeEach(async () => {
  host = await mkdtemp(join(tmpdir(), 'export-'))
  target = join(host, 'target')
  sandbox = new LyingSandbox()
})
afterEach(() => rm(host, { recursive: true, force: true }))

describe('names of the sandbox', () => {
  const bad = ['', '.', '..', '../up', '/etc', 'a/b', 'a\0b', 'x'.repeat(256), '\ud800', 'é'.repeat(128)]

  it.each(bad)('%j is skipped, and the sandbox is not asked for it', async (name) => {
    sandbox.listed = () => names(name, 'good')
    expect(await give()).toEqual({
      files: 1,
      directories: 0,
      bytes: 4,
      skipped: [{ path: name, reason: 'name' }],
    })
    expect(sandbox.read).toEqual(['/out/good'])
    expect([await readdir(host), await readdir(target)]).toEqual([['target'], ['good']])
  })

  it('what is no text is skipped', async () => {
    sandbox.listed = () => [{ name: Object(7) }, { name: Object.assign([], { length: 0 }) }]
    expect((await give()).skipped.map(({ reason }) => reason)).toEqual(['name', 'name'])
  })

  it('a name that comes twice is copied once', async () => {
    sandbox.listed = () => names('a', 'a')
    expect(await give()).toMatchObject({ files: 1, skipped: [{ path: 'a', reason: 'name' }] })
  })
})

describe('what the host has already', () => {
  it('links are replaced or refused, and never followed', async () => {
    await mkdir(join(host, 'outside'))
    await writeFile(join(host, 'outside', 'kept'), 'old')
    await mkdir(target)
    await symlink('../outside', join(target, 'sub'))
    await symlink('../outside/kept', join(target, 'one'))
    await symlink('../outside/new', join(target, 'two'))
    sandbox.listed = (path) => (path === '/out' ? names('sub', 'one', 'two') : names('deep'))
    sandbox.stated = (path) => (path === '/out/sub' ? directory : file())
    expect(await give()).toEqual({
      files: 2,
      directories: 0,
      bytes: 8,
      skipped: [{ path: 'sub', reason: 'taken' }],
    })
    expect(await readdir(join(host, 'outside'))).toEqual(['kept'])
    expect(await readFile(join(host, 'outside', 'kept'), 'utf8')).toBe('old')
    expect((await readdir(target)).sort()).toEqual(['one', 'sub', 'two'])
  })

  it('a directory is not replaced by a file, nor a file by a directory', async () => {
    await mkdir(join(target, 'a', 'kept'), { recursive: true })
    await writeFile(join(target, 'b'), 'kept')
    sandbox.listed = (path) => (path === '/out' ? names('a', 'b') : names('deep'))
    sandbox.stated = (path) => (path === '/out/b' ? directory : file())
    expect((await give()).skipped).toEqual([
      { path: 'a', reason: 'taken' },
      { path: 'b', reason: 'taken' },
    ])
    expect([await readdir(join(target, 'a')), await readFile(join(target, 'b'), 'utf8')]).toEqual([
      ['kept'],
      'kept',
    ])
  })

  it('a directory that becomes a link in the meantime leads nothing elsewhere', async () => {
    await mkdir(join(host, 'outside'))
    sandbox.listed = (path) => (path === '/out' ? names('sub') : names('a', 'b'))
    sandbox.stated = (path) => (path === '/out/sub' ? directory : file())
    let exchange = async () => {
      await rm(join(target, 'sub'), { recursive: true })
      await symlink('../outside', join(target, 'sub'))
    }
    const readAsBefore = sandbox.readFile.bind(sandbox)
    sandbox.readFile = async (path) => {
      await exchange()
      exchange = async () => undefined
      return readAsBefore(path)
    }
    // Where the directory is gone, the host has no place for its files.
    await give().catch((error: unknown) => expect(error).toMatchObject({ code: 'PATH_NOT_FOUND' }))
    expect(await readdir(join(host, 'outside'))).toEqual([])
  })
})

describe('bounds', () => {
  it('a file that is larger than it said is refused', async () => {
    sandbox.listed = () => names('a')
    sandbox.stated = () => file(1)
    sandbox.content = () => new Uint8Array(11)
    await expect(give({ maxBytes: 10 })).rejects.toBeInstanceOf(SandboxLimitError)
    expect(await readdir(target)).toEqual([])
  })

  it('a file that says that it is too large is not read', async () => {
    sandbox.listed = () => names('a')
    sandbox.stated = () => file(11)
    await expect(give({ maxBytes: 10 })).rejects.toMatchObject({ limit: 'maxBytes', value: 10 })
    expect(sandbox.read).toEqual([])
  })

  it('directories without end stop at a hundred levels', async () => {
    sandbox.listed = () => names('d')
    sandbox.stated = () => directory
    const { directories, skipped } = await give()
    expect([directories, skipped.map(({ reason }) => reason)]).toEqual([100, ['depth']])
  })

  it('skipped entries count', async () => {
    sandbox.listed = () => Array.from({ length: 20 }, (_, index) => ({ name: `${index}/` }))
    await expect(give({ maxFiles: 10 })).rejects.toMatchObject({ limit: 'maxFiles', value: 10 })
  })
})

it('what may not be read, or is a link or a device, is skipped', async () => {
  sandbox.listed = () => names('denied', 'link', 'pipe', 'large')
  sandbox.stated = (path) => {
    if (path.endsWith('link')) return { ...file(), kind: 'link' }
    return path.endsWith('pipe') ? { ...file(), kind: 'other' } : file()
  }
  sandbox.content = (path) => {
    if (path.endsWith('denied')) throw new SandboxPermissionError('no', { path })
    throw new SandboxLimitError('no', { limit: 'limits.maxFileSize', value: 1 })
  }
  expect((await give()).skipped).toEqual([
    { path: 'denied', reason: 'denied' },
    { path: 'link', reason: 'link' },
    { path: 'pipe', reason: 'special' },
    { path: 'large', reason: 'size' },
  ])
  expect(await readdir(target)).toEqual([])
})

it('an abort rejects while the sandbox does not answer', async () => {
  const abort = new AbortController()
  sandbox.listed = () => names('a')
  sandbox.readFile = () => {
    abort.abort(new Error('enough'))
    return new Promise(() => undefined)
  }
  await expect(give({ signal: abort.signal })).rejects.toMatchObject({ code: 'ABORTED' })
})

it('what onProgress throws rejects the call', async () => {
  sandbox.listed = () => names('a', 'b')
  const failure = new Error('stop')
  const onProgress = () => {
    throw failure
  }
  await expect(give({ onProgress })).rejects.toBe(failure)
  expect(await readdir(target)).toEqual(['a'])
})
