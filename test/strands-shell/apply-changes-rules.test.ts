import { execFile } from 'node:child_process'
import { chmod, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import type { ConflictData } from '../../src/index.ts'
import { conflictOf } from '../support/event-fields.ts'
import { type Backend, backends } from './support/backend.ts'
import { result } from './support/expected.ts'
import { factsOf, failureOf } from './support/failure.ts'
import { hostDirectory, modeOf, plant, treeOf } from './support/host-tree.ts'

const run = promisify(execFile)
const planted = { file: 'old\n', gone: 'g\n', 'dir/': '', 'dir/in': 'i\n' }

describe.each(backends)('applyChanges() keeps the host whole ($name)', applyingSafely)

function applyingSafely(backend: Backend): void {
  async function copied(exclude: readonly string[] = []) {
    const source = await hostDirectory(planted)
    const sandbox = await backend.open({ binds: [{ source, destination: '/work', mode: 'copy', exclude }] })
    return { source, sandbox }
  }

  it('keeps what the host changed since open beside it: in the report, and as an event', async () => {
    const { source, sandbox } = await copied()
    const told: ConflictData[] = []
    sandbox.on('conflict', (conflict) => told.push(conflictOf(conflict)))
    await sandbox.execute(
      'echo mine > /work/file; echo mine > /work/dir/in; echo same > /work/new; rm /work/gone',
    )
    await plant(source, { file: 'theirs\n', new: 'same\n', gone: 'theirs too\n' })
    await unlink(join(source, 'dir/in'))
    const { conflicts, removed } = await sandbox.applyChanges({ bind: '/work' })
    expect(removed).toEqual(['/work/gone'])
    expect([...conflicts].sort((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
      { path: '/work/dir/in', hostPath: join(source, 'dir/in') },
      { path: '/work/file', hostPath: join(source, 'file'), kept: '/work/file.host-conflict' },
      { path: '/work/gone', hostPath: join(source, 'gone'), kept: '/work/gone.host-conflict' },
    ])
    expect(told).toEqual(conflicts)
    expect(await treeOf(source)).toEqual({
      file: 'mine\n',
      'file.host-conflict': 'theirs\n',
      'gone.host-conflict': 'theirs too\n',
      'dir/': '',
      'dir/in': 'mine\n',
      new: 'same\n',
    })
    expect(await sandbox.execute('ls /work')).toEqual(result({ stdout: 'dir\nfile\nnew\n' }))
  })

  it('leaves alone what only the host has changed, also beside what the sandbox renames and removes', async () => {
    const { source, sandbox } = await copied()
    await plant(source, { file: 'theirs\n', 'dir/in': 'theirs\n' })
    await sandbox.execute('cd /work; rm gone; echo m > dir/mine; mv dir/mine dir/moved')
    expect((await sandbox.changes()).changes.map(({ path }) => path)).toEqual([
      '/work/dir/moved',
      '/work/gone',
    ])
    expect(await sandbox.applyChanges({ bind: '/work' })).toEqual({
      written: ['/work/dir/moved'],
      removed: ['/work/gone'],
      conflicts: [],
    })
    expect(await treeOf(source)).toEqual({
      file: 'theirs\n',
      'dir/': '',
      'dir/in': 'theirs\n',
      'dir/moved': 'm\n',
    })
  })

  it('what of it fails can be applied again', async () => {
    const { source, sandbox } = await copied()
    await sandbox.execute('echo mine > /work/file; echo n > /work/new')
    await run('mkfifo', [join(source, 'new')])
    expect(await factsOf(sandbox.applyChanges({ bind: '/work' }))).toEqual({
      name: 'MirrorError',
      code: 'MIRROR_FAILED',
      written: ['/work/file'],
      pending: [{ path: '/work/new', reason: 'the host has a FIFO there' }],
      exitCode: undefined,
      stdout: '',
      stderr: '',
    })
    expect(await sandbox.execute('echo goes on')).toEqual(result({ stdout: 'goes on\n' }))
    await unlink(join(source, 'new'))
    expect(await sandbox.applyChanges({ bind: '/work' })).toEqual({
      written: ['/work/new'],
      removed: [],
      conflicts: [],
    })
  })

  it('keeps the permissions of the host’s files, and applies those of the sandbox', async () => {
    const { source, sandbox } = await copied()
    await chmod(join(source, 'file'), 0o640)
    await sandbox.execute('echo mine >> /work/file; chmod 755 /work/dir/in')
    await sandbox.applyChanges({ bind: '/work' })
    expect(await Promise.all(['file', 'dir/in'].map((name) => modeOf(join(source, name))))).toEqual([
      '640',
      '755',
    ])
  })

  it('takes a single file, too', async () => {
    const source = join(await hostDirectory(planted), 'file')
    const sandbox = await backend.open({ binds: [{ source, destination: '/one', mode: 'copy' }] })
    await sandbox.execute('echo more >> /one')
    expect(await sandbox.applyChanges({ bind: '/one' })).toEqual({
      written: ['/one'],
      removed: [],
      conflicts: [],
    })
    expect(await treeOf(join(source, '..'))).toEqual({ ...planted, file: 'old\nmore\n' })
  })

  it.each([
    [
      'a mirrored bind, which has nothing to apply',
      { source: 'a', destination: '/work' },
      '/work',
      'on the host already',
    ],
    [
      'a read-only copy',
      { source: 'a', destination: '/work', mode: 'copy' as const, readonly: true },
      '/work',
      'read-only',
    ],
    [
      'a read-only direct bind',
      { source: 'a', destination: '/work', readonly: true },
      '/work',
      'destination of a copy',
    ],
    [
      'a place that is no bind',
      { source: 'a', destination: '/work', mode: 'copy' as const },
      '/work/dir',
      'destination of a copy',
    ],
    ['a bind there is not', undefined, '/work', 'destination of a copy'],
  ])('refuses %s', async (_what, bind, named, reason) => {
    const source = await hostDirectory(planted)
    const sandbox = await backend.open({ binds: bind === undefined ? [] : [{ ...bind, source }] })
    await sandbox.execute('echo mine > /work/dir/new')
    const before = await treeOf(source)
    const applied = sandbox.applyChanges({ bind: named })
    expect(await factsOf(applied)).toEqual({
      name: 'SandboxConfigError',
      code: 'INVALID_CONFIG',
      field: 'bind',
    })
    expect((await failureOf(applied)).message).toContain(reason)
    expect(await treeOf(source)).toEqual(before)
  })
}
