import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Backend, backends } from './support/backend.ts'
import { factsOf } from './support/failure.ts'
import { hostDirectory, plant, type Tree, treeOf } from './support/host-tree.ts'

const planted: Tree = { file: 'old\n', 'dir/': '', 'dir/in': 'i\n' }

describe.each(backends)('calls on whole files and directories ($name)', (backend: Backend) => {
  it('mirror what they change, and see what the host has', async () => {
    const source = await hostDirectory(planted)
    const sandbox = await backend.open({ binds: [{ source, destination: '/work' }] })
    await plant(source, { 'dir/late': 'l\n', file: 'newer\n' })
    await sandbox.copy('/work/dir', '/work/copy')
    await sandbox.appendFile('/work/file', Buffer.from('more\n'))
    await sandbox.move('/work/dir', '/tmp/out')
    await sandbox.makeDirectory('/work/made/deep')
    expect(await treeOf(source)).toEqual({
      file: 'newer\nmore\n',
      'copy/': '',
      'copy/in': 'i\n',
      'copy/late': 'l\n',
      'made/': '',
      'made/deep/': '',
    })
    await plant(source, { 'copy/more': 'm\n' })
    expect((await sandbox.stat('/work/copy/more')).size).toBe(2)
    await sandbox.move('/tmp/out', '/work/made/back')
    await sandbox.removeFile('/work/copy', { recursive: true })
    expect(await treeOf(source)).toEqual({
      file: 'newer\nmore\n',
      'made/': '',
      'made/back/': '',
      'made/back/in': 'i\n',
      'made/back/late': 'l\n',
      'made/deep/': '',
    })
  })

  it('change nothing in a read-only bind, and read it', async () => {
    const source = await hostDirectory(planted)
    const sandbox = await backend.open({ binds: [{ source, destination: '/work', readonly: true }] })
    const denied = (path: string) => expect.objectContaining({ code: 'PERMISSION_DENIED', path })
    const calls = {
      '/work/new': () => sandbox.makeDirectory('/work/new'),
      '/work/copy': () => sandbox.copy('/work/dir', '/work/copy'),
      '/work/dir': () => sandbox.removeFile('/work/dir', { recursive: true }),
      '/work/file': () => sandbox.appendFile('/work/file', Buffer.from('x')),
    }
    for (const [path, call] of Object.entries(calls)) expect(await factsOf(call())).toEqual(denied(path))
    await sandbox.copy('/work/dir', '/tmp/copy')
    expect(await sandbox.readText('/tmp/copy/in')).toBe('i\n')
    expect((await sandbox.stat('/work/dir')).kind).toBe('directory')
    expect((await sandbox.stat('/work')).kind).toBe('directory')
    expect(await treeOf(source)).toEqual(planted)
  })

  it('are not led astray by functions, aliases and flags of the session', async () => {
    const sandbox = await backend.open()
    await sandbox.execute('mkdir /tmp/a; echo x > /tmp/a/f; set -eu')
    await sandbox.execute('mv() { :; }; cp() { :; }; mkdir() { :; }; alias ls=false rm=false')
    await sandbox.copy('/tmp/a', '/tmp/b')
    await sandbox.move('/tmp/b', '/tmp/new/c')
    await sandbox.removeFile('/tmp/a', { recursive: true })
    expect(await sandbox.readText('/tmp/new/c/f')).toBe('x\n')
    expect(await sandbox.exists('/tmp/a')).toBe(false)
  })

  it('a file that would be too large stays as it is', async () => {
    const sandbox = await backend.open({ limits: { maxFileSize: 10 } })
    await sandbox.writeText('/tmp/file', '12345678')
    await expect(sandbox.appendFile('/tmp/file', Buffer.from('9ab'))).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      limit: 'limits.maxFileSize',
    })
    expect(await sandbox.readText('/tmp/file')).toBe('12345678')
  })

  it('take in what a limit of single files allows, and report the rest', async () => {
    const source = await hostDirectory({ small: 's', large: 'x'.repeat(11) })
    const sandbox = await backend.open({ limits: { maxFileSize: 10 } })
    const { files, skipped } = await sandbox.importDirectory(join(source), '/tmp/in')
    expect({ files, skipped }).toEqual({ files: 1, skipped: [{ path: 'large', reason: 'size' }] })
  })
})
