import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { describeEngines, type HostedEngine } from '../support/describe-engines.ts'
import { cases } from '../support/tier.ts'
import { bytesOf, result, textOf } from './support/expected.ts'
import { factsOf } from './support/failure.ts'

const notFound = (path: string) => ({ name: 'SandboxPathNotFoundError', code: 'PATH_NOT_FOUND', path })
const denied = (path: string) => ({ name: 'SandboxPermissionError', code: 'PERMISSION_DENIED', path })
const ioError = (path: string) => ({ name: 'SandboxIoError', code: 'IO_ERROR', path })

describeEngines('files', files)

function files(engine: HostedEngine): void {
  const { protectedPaths, maxInodes } = engine.capabilities

  it('reads back any bytes that were written', async () => {
    const sandbox = await engine.open()
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 3000 }), async (bytes) => {
        await sandbox.writeFile('/tmp/bytes', bytes)
        expect(await sandbox.readFile('/tmp/bytes')).toEqual(bytes)
      }),
      { numRuns: cases(60), examples: [[new Uint8Array()], [Uint8Array.from({ length: 256 }, (_, i) => i)]] },
    )
  })

  it('reads back 8 MiB that were written', async () => {
    const sandbox = await engine.open()
    const bytes = patternOf(8 * 1024 * 1024)
    await sandbox.writeFile('/tmp/large', bytes)
    const back = await sandbox.readFile('/tmp/large')
    expect(back.byteLength).toBe(bytes.byteLength)
    expect(Buffer.compare(back, bytes)).toBe(0)
  })

  it('large writes of many sizes in flight together never mix', async () => {
    const sandbox = await engine.open()
    const sizes = [300_000, 2_000_000, 500_000, 1_999_999, 262_144, 2_000_001, 1, 0, 700_000]
    const contents = sizes.map((size, i) => new Uint8Array(size).fill(i + 1))
    for (let round = 0; round < 2; round++) {
      await Promise.all(contents.map((content, i) => sandbox.writeFile(`/tmp/mix-${i}`, content)))
      const back = await Promise.all(contents.map((_, i) => sandbox.readFile(`/tmp/mix-${i}`)))
      expect(back.map((bytes, i) => Buffer.compare(bytes, contents[i] ?? new Uint8Array()))).toEqual(
        sizes.map(() => 0),
      )
      contents.reverse()
    }
  })

  it('commands see the bytes that were written, and files show what commands wrote', async () => {
    const sandbox = await engine.open()
    await sandbox.writeFile('/tmp/in', bytesOf('one\ntwo\n'))
    expect(await sandbox.execute('cat /tmp/in | tr a-z A-Z > /tmp/out; wc -c < /tmp/in | tr -d " "')).toEqual(
      result({ stdout: '8\n' }),
    )
    expect(textOf(await sandbox.readFile('/tmp/out'))).toBe('ONE\nTWO\n')
  })

  it('binary content passes through commands unchanged', async () => {
    const sandbox = await engine.open()
    const bytes = Uint8Array.from({ length: 256 }, (_, i) => i)
    await sandbox.writeFile('/tmp/binary', bytes)
    expect(await sandbox.execute('cat /tmp/binary > /tmp/copy; cp /tmp/binary /tmp/copy2')).toEqual(result())
    expect(await sandbox.readFile('/tmp/copy')).toEqual(bytes)
    expect(await sandbox.readFile('/tmp/copy2')).toEqual(bytes)
  })

  it('the directories that lead to a file are made', async () => {
    const sandbox = await engine.open()
    await sandbox.writeFile('/tmp/a/b/c/file', bytesOf('deep'))
    expect(await sandbox.listFiles('/tmp/a/b')).toEqual([{ name: 'c', isDir: true, size: 0 }])
    expect(textOf(await sandbox.readFile('/tmp/a/b/c/file'))).toBe('deep')
  })

  it('a write replaces what the file held, all of it', async () => {
    const sandbox = await engine.open()
    await sandbox.writeFile('/tmp/file', bytesOf('a long first content'))
    await sandbox.writeFile('/tmp/file', bytesOf('short'))
    expect(textOf(await sandbox.readFile('/tmp/file'))).toBe('short')
    await sandbox.writeFile('/tmp/file', new Uint8Array())
    expect(await sandbox.readFile('/tmp/file')).toEqual(new Uint8Array())
  })

  it('the caller’s buffer stays usable, and what is done to it later does not reach the file', async () => {
    const sandbox = await engine.open()
    const buffer = new Uint8Array(1024 * 1024).fill(1)
    const writing = sandbox.writeFile('/tmp/torn', buffer)
    buffer.fill(2)
    await writing
    expect(buffer.byteLength).toBe(1024 * 1024)
    buffer.fill(3)
    expect(new Set(await sandbox.readFile('/tmp/torn'))).toEqual(new Set([1]))
  })

  it('views, Buffers and shared memory are written as exactly the bytes they show', async () => {
    const sandbox = await engine.open()
    const memory = Uint8Array.from([0, 1, 2, 3, 4, 5, 6, 7])
    const shared = new Uint8Array(new SharedArrayBuffer(4)).fill(9)
    await sandbox.writeFile('/tmp/view', memory.subarray(2, 5))
    await sandbox.writeFile('/tmp/buffer', Buffer.from('text'))
    await sandbox.writeFile('/tmp/shared', shared)
    expect([...(await sandbox.readFile('/tmp/view'))]).toEqual([2, 3, 4])
    expect(textOf(await sandbox.readFile('/tmp/buffer'))).toBe('text')
    expect([...(await sandbox.readFile('/tmp/shared'))]).toEqual([9, 9, 9, 9])
    expect(memory.byteLength).toBe(8)
  })

  it('readFile returns a copy that the caller may change', async () => {
    const sandbox = await engine.open()
    await sandbox.writeFile('/tmp/file', bytesOf('mine'))
    const first = await sandbox.readFile('/tmp/file')
    first.fill(0)
    expect(Object.getPrototypeOf(first)).toBe(Uint8Array.prototype)
    expect(textOf(await sandbox.readFile('/tmp/file'))).toBe('mine')
  })

  it('relative paths are taken from the session’s directory, also after `cd`', async () => {
    const sandbox = await engine.open()
    await sandbox.writeText('at-home', 'h')
    await sandbox.execute('mkdir -p /tmp/work/sub; cd /tmp/work')
    await sandbox.writeText('file', 'w')
    await sandbox.writeText('./sub/../sub/deep', 'd')
    await sandbox.writeText('../up', 'u')
    expect(
      await sandbox.execute(`cat ${engine.fresh.home}/at-home /tmp/work/file /tmp/work/sub/deep /tmp/up`),
    ).toEqual(result({ stdout: 'hwdu' }))
    expect(await sandbox.listFiles('.')).toEqual([
      { name: 'file', isDir: false, size: 1 },
      { name: 'sub', isDir: true, size: 0 },
    ])
    await sandbox.removeFile('sub/deep')
    expect(await sandbox.readText('file')).toBe('w')
    expect(await factsOf(sandbox.readFile('sub/deep'))).toEqual(notFound('sub/deep'))
  })

  it('a scoped call does not move the directory that relative paths are taken from', async () => {
    const sandbox = await engine.open()
    await sandbox.execute('cd /tmp', { cwd: '/' })
    await sandbox.writeText('file', 'home')
    expect(await sandbox.readText(`${engine.fresh.home}/file`)).toBe('home')
  })

  it('listFiles returns all entries, sorted by code point', async () => {
    const sandbox = await engine.open()
    const names = ['b', 'B', '10', '9', '.hidden', 'é', '_', 'a b', '\u{1f600}', '\uffee', 'a']
    for (const name of names) await sandbox.writeText(`/tmp/list/${name}`, 'x'.repeat(name.length))
    await sandbox.execute('mkdir /tmp/list/dir')
    const sorted = ['.hidden', '10', '9', 'B', '_', 'a', 'a b', 'b', 'dir', 'é', '\uffee', '\u{1f600}']
    expect(await sandbox.listFiles('/tmp/list')).toEqual(
      sorted.map((name) =>
        name === 'dir' ? { name, isDir: true, size: 0 } : { name, isDir: false, size: name.length },
      ),
    )
  })

  it('an empty directory lists as nothing, and a slash at the end changes nothing', async () => {
    const sandbox = await engine.open()
    expect([await sandbox.listFiles('/tmp'), await sandbox.listFiles('/tmp/')]).toEqual([[], []])
  })

  it('a file that was removed is gone', async () => {
    const sandbox = await engine.open()
    await sandbox.writeText('/tmp/file', 'x')
    await sandbox.removeFile('/tmp/file')
    expect(await sandbox.listFiles('/tmp')).toEqual([])
    expect(await factsOf(sandbox.removeFile('/tmp/file'))).toEqual(notFound('/tmp/file'))
  })

  it('a missing path is PATH_NOT_FOUND with the path, to every method', async () => {
    const sandbox = await engine.open()
    const path = '/tmp/no/such'
    const calls = [
      sandbox.readFile(path),
      sandbox.readText(path),
      sandbox.removeFile(path),
      sandbox.listFiles(path),
    ]
    expect(await Promise.all(calls.map(factsOf))).toEqual(calls.map(() => notFound(path)))
  })

  it('a path below a file is PATH_NOT_FOUND, to every method', async () => {
    const sandbox = await engine.open()
    await sandbox.writeText('/tmp/file', 'x')
    const path = '/tmp/file/below'
    const calls = [
      sandbox.readFile(path),
      sandbox.removeFile(path),
      sandbox.listFiles(path),
      sandbox.writeFile(path, new Uint8Array(1)),
    ]
    expect(await Promise.all(calls.map(factsOf))).toEqual(calls.map(() => notFound(path)))
    expect(await sandbox.readText('/tmp/file')).toBe('x')
  })

  it('a directory where a file is needed is IO_ERROR, and stays whole', async () => {
    const sandbox = await engine.open()
    await sandbox.writeText('/tmp/dir/file', 'x')
    const calls = [
      sandbox.readFile('/tmp/dir'),
      sandbox.removeFile('/tmp/dir'),
      sandbox.writeFile('/tmp/dir', new Uint8Array(1)),
    ]
    expect(await Promise.all(calls.map(factsOf))).toEqual(calls.map(() => ioError('/tmp/dir')))
    expect(await sandbox.readText('/tmp/dir/file')).toBe('x')
  })

  it('a file where a directory is needed is PATH_NOT_FOUND', async () => {
    const sandbox = await engine.open()
    await sandbox.writeText('/tmp/file', 'x')
    expect(await factsOf(sandbox.listFiles('/tmp/file'))).toEqual(notFound('/tmp/file'))
  })

  it.runIf(protectedPaths)('a place that is not writable is PERMISSION_DENIED', async () => {
    const { write = '', remove = '' } = protectedPaths ?? {}
    const sandbox = await engine.open()
    expect(await factsOf(sandbox.writeFile(write, new Uint8Array(1)))).toEqual(denied(write))
    expect(await factsOf(sandbox.removeFile(remove))).toEqual(denied(remove))
  })

  it.runIf(!engine.capabilities.ofMachine)('writing to a device is IO_ERROR', async () => {
    const sandbox = await engine.open()
    expect(await factsOf(sandbox.writeFile('/dev/null', new Uint8Array(1)))).toEqual(ioError('/dev/null'))
  })

  it.runIf(!engine.capabilities.ofMachine)('host paths outside every bind do not exist', async () => {
    const sandbox = await engine.open()
    for (const path of [
      '/proc/self/environ',
      process.execPath,
      import.meta.filename,
      `/..${process.execPath}`,
    ]) {
      expect(await factsOf(sandbox.readFile(path))).toEqual(notFound(path))
    }
    const own = await sandbox.readText('/etc/passwd').catch(() => '')
    expect(own).not.toBe(readFileSync('/etc/passwd', 'utf8'))
  })

  it('content over limits.maxFileSize is LIMIT_EXCEEDED with cap and value, and the file keeps what it held', async () => {
    const sandbox = await engine.open({ limits: { maxFileSize: 100 } })
    const full = new Uint8Array(100).fill(7)
    await sandbox.writeFile('/tmp/file', full)
    expect(await factsOf(sandbox.writeFile('/tmp/file', new Uint8Array(101)))).toEqual({
      name: 'SandboxLimitError',
      code: 'LIMIT_EXCEEDED',
      limit: 'limits.maxFileSize',
      value: 100,
    })
    expect(await sandbox.readFile('/tmp/file')).toEqual(full)
    expect(await factsOf(sandbox.writeFile('/tmp/new', new Uint8Array(101)))).toMatchObject({ value: 100 })
    expect(await sandbox.listFiles('/tmp')).toEqual([{ name: 'file', isDir: false, size: 100 }])
  })

  it.runIf(maxInodes)(
    'one file more than limits.maxInodes is LIMIT_EXCEEDED with cap and value',
    async () => {
      const sandbox = await engine.open({ limits: { maxInodes: 40 } })
      const writing = Promise.all(
        Array.from({ length: 60 }, (_, i) => sandbox.writeFile(`/tmp/file-${i}`, new Uint8Array(1))),
      )
      expect(await factsOf(writing)).toEqual({
        name: 'SandboxLimitError',
        code: 'LIMIT_EXCEEDED',
        limit: 'limits.maxInodes',
        value: 40,
      })
      expect(await sandbox.execute('echo works')).toEqual(result({ stdout: 'works\n' }))
    },
  )

  it('links that go in a circle are IO_ERROR, a link that leads nowhere is PATH_NOT_FOUND', async () => {
    const sandbox = await engine.open()
    await sandbox.execute('ln -s /tmp/circle /tmp/circle; ln -s /tmp/nowhere /tmp/loose')
    expect(await factsOf(sandbox.readFile('/tmp/circle'))).toEqual(ioError('/tmp/circle'))
    expect(await factsOf(sandbox.readFile('/tmp/loose'))).toEqual(notFound('/tmp/loose'))
  })

  it('an error says what was tried and on which path', async () => {
    const sandbox = await engine.open()
    await expect(sandbox.readFile('/tmp/no-such-file')).rejects.toThrow(/readFile.*\/tmp\/no-such-file/)
    await expect(sandbox.listFiles('/tmp/no-such-dir')).rejects.toThrow(/listFiles.*\/tmp\/no-such-dir/)
  })

  it('readText and writeText speak UTF-8 unless told otherwise', async () => {
    const sandbox = await engine.open()
    await sandbox.writeText('/tmp/utf8', 'é😀\n')
    expect(await sandbox.readFile('/tmp/utf8')).toEqual(bytesOf('é😀\n'))
    expect(await sandbox.readText('/tmp/utf8')).toBe('é😀\n')
    await sandbox.writeText('/tmp/latin', 'é', 'latin1')
    expect([...(await sandbox.readFile('/tmp/latin'))]).toEqual([0xe9])
    expect([await sandbox.readText('/tmp/latin', 'latin1'), await sandbox.readText('/tmp/latin')]).toEqual([
      'é',
      '\ufffd',
    ])
  })

  it('removeFile removes a read-only file that a command made', async () => {
    const sandbox = await engine.open()
    await sandbox.execute('echo x > /tmp/made; chmod 444 /tmp/made')
    await sandbox.removeFile('/tmp/made')
    expect(await sandbox.listFiles('/tmp')).toEqual([])
  })

  it('writeFile, writeText and removeFile resolve with undefined', async () => {
    const sandbox = await engine.open()
    expect([
      await sandbox.writeFile('/tmp/file', new Uint8Array(1)),
      await sandbox.writeText('/tmp/file', ''),
      await sandbox.removeFile('/tmp/file'),
    ]).toEqual([undefined, undefined, undefined])
  })
}

function patternOf(length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  for (let i = 0; i < length; i++) bytes[i] = (i * 31 + (i >> 8)) & 255
  return bytes
}
