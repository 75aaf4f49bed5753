import { execFile } from 'node:child_process'
import { mkdir, rename, rm, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { makeHost } from '../faults/helpers.ts'
import { type Backend, backends } from './support/backend.ts'
import { result } from './support/expected.ts'
import { factsOf, failureOf } from './support/failure.ts'
import { hostActs } from './support/host-acts.ts'
import { hostDirectory, plant, treeOf } from './support/host-tree.ts'

const run = promisify(execFile)

describe.each(backends)('a mirrored bind that cannot be written to its host ($name)', failures)

function failures(backend: Backend): void {
  async function mirrored() {
    const source = await hostDirectory({ 'bound/file': 'old\n', outside: 'o\n' })
    const bound = join(source, 'bound')
    return { parent: source, bound, binds: [{ source: bound, destination: '/work' }] }
  }

  /** A host whose cells follow the path of a source: a jail has the directory that was there when it was made. */
  const unjailed = () => makeHost({ isolation: backend.name, hardening: 'none' })

  it('rejects with the command’s output where a FIFO is in the place of a file, and writes the file when the FIFO is gone', async () => {
    const { bound, binds } = await mirrored()
    const sandbox = await backend.open({ binds })
    await unlink(join(bound, 'file'))
    await run('mkfifo', [join(bound, 'file')])
    const failed = sandbox.execute(
      'echo mine > /work/file; echo n > /work/new; echo said; echo err >&2; exit 3',
    )
    expect(await factsOf(failed)).toEqual({
      name: 'MirrorError',
      code: 'MIRROR_FAILED',
      written: ['/work/new'],
      pending: [{ path: '/work/file', reason: 'the host has a FIFO there' }],
      exitCode: 3,
      stdout: 'said\n',
      stderr: 'err\n',
    })
    expect((await failureOf(failed)).message).toContain("'/work/file' (the host has a FIFO there)")
    expect(await treeOf(bound)).toEqual({ file: '?', new: 'n\n' })
    await unlink(join(bound, 'file'))
    await sandbox.execute('true')
    expect(await treeOf(bound)).toEqual({ file: 'mine\n', new: 'n\n' })
  })

  it('keeps a file in the sandbox when the host replaces it by something that is not mirrored', async () => {
    const { bound, binds } = await mirrored()
    const sandbox = await backend.open({ binds })
    await unlink(join(bound, 'file'))
    await run('mkfifo', [join(bound, 'file')])
    expect(await sandbox.execute('cat /work/file')).toEqual(result({ stdout: 'old\n' }))
    expect((await sandbox.describe()).skipped).toEqual([
      { bind: '/work', path: '/work/file', reason: 'FIFO' },
    ])
  })

  it('does not write through a link that the host puts in the place of a file', async () => {
    const { parent, bound, binds } = await mirrored()
    const { pause, allowedUrls } = await hostActs(async () => {
      await unlink(join(bound, 'file'))
      await plant(bound, { file: '-> ../outside' })
    })
    const sandbox = await backend.open({ binds, allowedUrls })
    expect(await factsOf(sandbox.execute(`${pause}; echo mine > /work/file`))).toMatchObject({
      written: [],
      pending: [{ path: '/work/file', reason: 'the host has an unknown link there' }],
      exitCode: 0,
    })
    expect(await treeOf(parent)).toEqual({ 'bound/': '', 'bound/file': '-> ../outside', outside: 'o\n' })
    await unlink(join(bound, 'file'))
    await sandbox.execute('true')
    expect(await treeOf(parent)).toEqual({ 'bound/': '', 'bound/file': 'mine\n', outside: 'o\n' })
  })

  it('reports no exit code when the host refuses a write by writeFile', async () => {
    const { bound, binds } = await mirrored()
    const sandbox = await backend.open({ binds })
    await run('mkfifo', [join(bound, 'pipe')])
    expect(await factsOf(sandbox.writeText('/work/pipe', 'x'))).toEqual({
      name: 'MirrorError',
      code: 'MIRROR_FAILED',
      written: [],
      pending: [{ path: '/work/pipe', reason: 'the host has a FIFO there' }],
      exitCode: undefined,
      stdout: '',
      stderr: '',
    })
    await sandbox.removeFile('/work/pipe')
    expect(await sandbox.execute('echo goes on')).toEqual(result({ stdout: 'goes on\n' }))
    expect(await treeOf(bound)).toEqual({ file: 'old\n', pipe: '?' })
  })

  it('rejects with IO_ERROR while the source is missing', async () => {
    const { parent, bound, binds } = await mirrored()
    const sandbox = await unjailed().open({ binds })
    await rename(bound, join(parent, 'away'))
    const gone = (path: string) => ({ name: 'SandboxIoError', code: 'IO_ERROR', path })
    const call = sandbox.execute('echo mine > /work/new')
    expect(await factsOf(call)).toEqual(gone('/work'))
    expect((await failureOf(call)).message).toContain(`is gone: '${bound}'`)
    expect(await factsOf(sandbox.readFile('/work/file'))).toEqual(gone('/work'))
    expect(await factsOf(sandbox.writeText('/work/file', 'x'))).toEqual(gone('/work'))
    await sandbox.writeText('/tmp/elsewhere', 'fine')
    await rename(join(parent, 'away'), bound)
    expect(await sandbox.execute('cat /work/file; echo mine > /work/new')).toEqual(
      result({ stdout: 'old\n' }),
    )
    expect(await treeOf(bound)).toEqual({ file: 'old\n', new: 'mine\n' })
    expect(sandbox.generation).toBe(1)
  })

  it('writes the changes of a call during which the source was removed, when there is a source again', async () => {
    const { bound, binds } = await mirrored()
    const { pause, allowedUrls } = await hostActs(() => rm(bound, { recursive: true, force: true }))
    const sandbox = await unjailed().open({ binds, allowedUrls })
    const facts = await factsOf(sandbox.execute(`${pause}; echo mine > /work/new; echo ran`))
    expect(facts).toMatchObject({ name: 'MirrorError', written: [], stdout: 'ran\n', exitCode: 0 })
    expect(facts['pending']).toEqual([
      { path: '/work/new', reason: expect.stringContaining(`'${bound}' is missing`) },
    ])
    await mkdir(bound)
    await sandbox.execute('true')
    expect(await treeOf(bound)).toEqual({ new: 'mine\n' })
  })

  it('withholds links that lead out: stderr reports it once, describe() while they exist', async () => {
    const { bound, binds } = await mirrored()
    const sandbox = await backend.open({ binds })
    const note = (path: string) =>
      `strands-shell: '/work/${path}' is not written to the host: link that leads out\n`
    expect(
      await sandbox.execute('cd /work; ln -s /etc/passwd absolute; ln -s ../up up; ln -s file in'),
    ).toEqual(result({ stderr: note('absolute') + note('up') }))
    expect(await sandbox.execute('readlink /work/up')).toEqual(result({ stdout: '../up\n' }))
    expect(await treeOf(bound)).toEqual({ file: 'old\n', in: '-> file' })
    const held = (path: string) => ({ bind: '/work', path: `/work/${path}`, reason: 'link that leads out' })
    expect((await sandbox.describe()).skipped).toEqual([held('absolute'), held('up')])
    await sandbox.execute('rm absolute up; echo now a file > up')
    expect((await sandbox.describe()).skipped).toEqual([])
    expect(await treeOf(bound)).toEqual({ file: 'old\n', in: '-> file', up: 'now a file\n' })
  })

  it('withholds names that are reserved for temporary files, and no others', async () => {
    const { bound, binds } = await mirrored()
    const sandbox = await backend.open({ binds })
    const path = '/work/.strands-shell-0123456789abcdef.tmp'
    const reason = 'name kept for temporary files'
    expect(await sandbox.execute(`echo x > ${path}; echo y > /work/.strands-shell-0.tmp`)).toMatchObject({
      exitCode: 0,
      stderr: `strands-shell: '${path}' is not written to the host: ${reason}\n`,
    })
    expect((await sandbox.describe()).skipped).toEqual([{ bind: '/work', path, reason }])
    await sandbox.execute(`rm ${path}`)
    expect((await sandbox.describe()).skipped).toEqual([])
    expect(await treeOf(bound)).toEqual({ file: 'old\n', '.strands-shell-0.tmp': 'y\n' })
  })
}
