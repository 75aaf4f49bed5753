import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { guardedList } from '../../../../../worker/engines/strands/guards/list-files.ts'
import { guardedRead } from '../../../../../worker/engines/strands/guards/read-file.ts'
import { guardedRemove } from '../../../../../worker/engines/strands/guards/remove-file.ts'
import { guardedWrite } from '../../../../../worker/engines/strands/guards/write-file.ts'
import type { NativeShell } from '../../../../../worker/engines/strands/native-shell.ts'
import { Engine } from './engine.ts'

const CAP = 1000
const NAME_TOO_LONG = `/direct/${'n'.repeat(300)}`
const bytes = (text: string) => new TextEncoder().encode(text)
const failure = (code: string, message: RegExp) => ({
  ok: false,
  error: { code, message: expect.stringMatching(message) },
})

describe('files', () => {
  let engine: Engine
  let shell: NativeShell
  let host: string
  beforeAll(async () => {
    host = mkdtempSync(join(tmpdir(), 'guards-host-'))
    mkdirSync(join(host, 'sub'))
    writeFileSync(join(host, 'file'), 'host')
    writeFileSync(join(host, 'big'), 'b'.repeat(CAP + 1))
    engine = Engine.start()
    shell = await engine.guardedShell(
      ['maxFileSize', CAP],
      ['maxInodes', 200],
      ['bindDirect', host, '/direct'],
      ['bindDirectReadonly', host, '/readonly'],
      ['bind', host, '/copy'],
    )
  })
  afterAll(async () => {
    await engine.stop()
    rmSync(host, { recursive: true, force: true })
  })

  describe('writeFile', () => {
    it('makes parents, and resolves relative paths against the directory of the session', async () => {
      await shell.run('mkdir -p /tmp/session; cd /tmp/session')
      expect(await guardedWrite(shell, 'a/b/c', bytes('hi'), CAP)).toEqual({ ok: true, value: null })
      expect(await guardedRead(shell, '/tmp/session/a/b/c', CAP)).toEqual({ ok: true, value: bytes('hi') })
      await shell.run('cd')
    })

    it.each(['/tmp/kept', '/direct/file'])('refuses too much before %s is emptied', async (path) => {
      await shell.writeFile(path, bytes('kept'))
      const refusal = await guardedWrite(shell, path, new Uint8Array(CAP + 1), CAP)
      expect(refusal).toMatchObject({
        ok: false,
        error: { code: 'LIMIT_EXCEEDED', path, limit: { name: 'limits.maxFileSize', value: CAP } },
      })
      expect(await shell.readFile(path)).toEqual(bytes('kept'))
      await expect(shell.writeFile(path, new Uint8Array(CAP + 1))).rejects.toThrow(/^EFBIG/)
      expect(await shell.readFile(path)).toEqual(new Uint8Array(0))
    })

    it.each(['/direct', '/direct/sub', '/dev/null', NAME_TOO_LONG])(
      '%s is EFBIG to the engine alone',
      async (path) => {
        await expect(shell.writeFile(path, bytes('x'))).rejects.toThrow(/^EFBIG/)
      },
    )

    it.each([
      ['/tmp', 'IO_ERROR', /got a directory/],
      ['/direct', 'IO_ERROR', /got a directory/],
      ['/direct/sub', 'IO_ERROR', /got a directory/],
      ['/tmp/new/', 'IO_ERROR', /the name of a directory/],
      ['/dev/null', 'IO_ERROR', /it is a device/],
      [NAME_TOO_LONG, 'IO_ERROR', /its name is too long/],
      ['/direct/file/x', 'PATH_NOT_FOUND', /a parent of the path is not a directory/],
      ['/x', 'PERMISSION_DENIED', /outside every writable place/],
      ['/bin/ls', 'PERMISSION_DENIED', /outside every writable place/],
      ['/readonly/x', 'PERMISSION_DENIED', /read-only bind/],
      ['', 'PATH_NOT_FOUND', /got an empty string/],
    ])('%s: %s', async (path, code, message) => {
      expect(await guardedWrite(shell, path, bytes('x'), CAP)).toMatchObject(failure(code, message))
    })

    it('a symbolic link that leads nowhere is an error of its own', async () => {
      await shell.run('ln -s /tmp/nowhere /tmp/dangling')
      expect(await guardedWrite(shell, '/tmp/dangling', bytes('x'), CAP)).toMatchObject(
        failure('IO_ERROR', /leads nowhere/),
      )
    })

    it('a full inode table is named as the limit it is', async () => {
      const small = await engine.shell(['maxInodes', 1])
      expect(await guardedWrite(small, '/tmp/x', bytes('x'), CAP)).toMatchObject({
        ok: false,
        error: { code: 'LIMIT_EXCEEDED', limit: { name: 'limits.maxInodes', value: 1 } },
      })
    })

    it('costs one native call', async () => {
      const calls: string[] = []
      const counted: NativeShell = {
        ...shell,
        writeFile: (path, content) => {
          calls.push(path)
          return shell.writeFile(path, content)
        },
        listFiles: () => Promise.reject(new Error('not needed')),
      }
      await guardedWrite(counted, '/tmp/once', bytes('x'), CAP)
      expect(calls).toEqual(['/tmp/once'])
    })
  })

  describe('readFile', () => {
    it.each([
      ['/none', 'PATH_NOT_FOUND', /no such file/],
      ['~/none', 'PATH_NOT_FOUND', /no such file/],
      ['/direct/none', 'PATH_NOT_FOUND', /no such file/],
      ['/direct/file/x', 'PATH_NOT_FOUND', /a parent of the path/],
      ['/copy/file/x', 'PATH_NOT_FOUND', /a parent of the path/],
      ['/tmp/tab\tname', 'PATH_NOT_FOUND', /no such file/],
      ['/tmp', 'IO_ERROR', /got a directory/],
      ['/direct', 'IO_ERROR', /got a directory/],
      ['', 'PATH_NOT_FOUND', /got an empty string/],
    ])('%j: %s', async (path, code, message) => {
      const outcome = await guardedRead(shell, path, CAP)
      expect(outcome).toMatchObject(failure(code, message))
      expect(outcome).toMatchObject({ error: { path } })
    })

    it('names the cap for a file of the host that is over it', async () => {
      expect(await guardedRead(shell, '/copy/big', CAP)).toMatchObject({
        ok: false,
        error: { code: 'LIMIT_EXCEEDED', limit: { name: 'limits.maxFileSize', value: CAP } },
      })
    })

    it('follows links, and ends where they go in a circle', async () => {
      await shell.run('echo target > /tmp/target; ln -s /tmp/target /tmp/link; ln -s /tmp/circle /tmp/circle')
      expect(await guardedRead(shell, '/tmp/link', CAP)).toEqual({ ok: true, value: bytes('target\n') })
      expect(await guardedRead(shell, '/tmp/circle', CAP)).toMatchObject(failure('IO_ERROR', /circle/))
    })
  })

  describe('removeFile', () => {
    it('removes a file', async () => {
      await shell.writeFile('/tmp/gone', bytes('x'))
      expect(await guardedRemove(shell, '/tmp/gone')).toEqual({ ok: true, value: null })
      expect(await guardedRead(shell, '/tmp/gone', CAP)).toMatchObject(failure('PATH_NOT_FOUND', /./))
    })

    it('the engine alone denies permission for what does not exist', async () => {
      await expect(shell.removeFile('/none')).rejects.toThrow(/^EACCES/)
      await expect(shell.removeFile('/copy/sub')).rejects.toThrow(/^EACCES.*is a directory/)
    })

    it.each([
      ['/none', 'PATH_NOT_FOUND', /no such file/],
      ['/none/deeper', 'PATH_NOT_FOUND', /no such file/],
      ['/readonly/none', 'PATH_NOT_FOUND', /no such file/],
      ['none', 'PATH_NOT_FOUND', /no such file/],
      ['/tmp/none', 'PATH_NOT_FOUND', /no such file/],
      ['/copy/sub', 'IO_ERROR', /got a directory/],
      ['/bin', 'PERMISSION_DENIED', /outside every writable place/],
      ['/readonly/file', 'PERMISSION_DENIED', /read-only bind/],
      ['', 'PATH_NOT_FOUND', /got an empty string/],
    ])('%j: %s', async (path, code, message) => {
      expect(await guardedRemove(shell, path)).toMatchObject(failure(code, message))
    })
  })

  describe('listFiles', () => {
    const ROOTS = ['/direct', '/readonly', '/copy']

    it('shows roots of direct binds as directories, which the engine alone does not', async () => {
      const isDir = (entries: readonly { name: string; isDir: boolean }[]) =>
        Object.fromEntries(entries.map((entry) => [entry.name, entry.isDir]))
      expect(isDir(await shell.listFiles('/'))).toMatchObject({ copy: true, direct: false, readonly: false })
      const listed = await guardedList(shell, '/', ROOTS)
      expect(isDir(listed.ok ? listed.value : [])).toMatchObject({ copy: true, direct: true, readonly: true })
    })

    it('sorts by code point and gives every entry a size', async () => {
      for (const name of ['b', 'B', 'a', '\u{1f600}', '\uffee', 'é'])
        await shell.writeFile(`/tmp/sorted/${name}`, bytes('12'))
      await shell.run('mkdir /tmp/sorted/dir')
      const size = 2
      expect(await guardedList(shell, '/tmp/sorted', ROOTS)).toEqual({
        ok: true,
        value: [
          { name: 'B', isDir: false, size },
          { name: 'a', isDir: false, size },
          { name: 'b', isDir: false, size },
          { name: 'dir', isDir: true, size: 0 },
          { name: 'é', isDir: false, size },
          { name: '\uffee', isDir: false, size },
          { name: '\u{1f600}', isDir: false, size },
        ],
      })
    })

    it('takes names with line breaks and tabs', async () => {
      await shell.writeFile('/tmp/odd/a\n\tb', bytes('x'))
      expect(await guardedList(shell, '/tmp/odd/', ROOTS)).toEqual({
        ok: true,
        value: [{ name: 'a\n\tb', isDir: false, size: 1 }],
      })
    })

    it.each([
      ['/none', 'PATH_NOT_FOUND', /no such file/],
      ['/copy/file', 'PATH_NOT_FOUND', /expected a directory, got a file/],
      ['/direct/file', 'PATH_NOT_FOUND', /expected a directory, got a file/],
      ['', 'PATH_NOT_FOUND', /got an empty string/],
    ])('%j: %s', async (path, code, message) => {
      expect(await guardedList(shell, path, ROOTS)).toMatchObject(failure(code, message))
    })
  })

  it('a panic passes through every guard', async () => {
    const lost = await engine.shell()
    await lost.run('[ a = ]').catch(() => undefined)
    for (const call of [
      () => guardedRead(lost, '/tmp/x', CAP),
      () => guardedWrite(lost, '/tmp/x', bytes('x'), CAP),
      () => guardedRemove(lost, '/tmp/x'),
      () => guardedList(lost, '/tmp', []),
    ]) {
      await expect(call()).rejects.toThrow(/worker thread (is gone|panicked)/)
    }
  })
})
