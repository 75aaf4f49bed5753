import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Backend, backends } from './support/backend.ts'
import { hostDirectory, treeOf } from './support/host-tree.ts'

const tree = { 'd/a': 'a', 'd/sub/b': 'b', 'd/other/c': 'c' }

/** What a directory has that keeps it on the host, in `d/sub`. */
const obstacles = [
  ['an excluded file', (path: string) => writeFileSync(join(path, 'x.log'), '')],
  ['a FIFO', (path: string) => execFileSync('mkfifo', [join(path, 'pipe')])],
  ['a file that is too large', (path: string) => writeFileSync(join(path, 'large'), Buffer.alloc(2 ** 21))],
  ['a name that is not UTF-8', (path: string) => writeFileSync(Buffer.from(`${path}/x\xff`, 'latin1'), '')],
] as const

describe.each(backends)('a directory that the sandbox removes and the host keeps ($name)', stays)

function stays(backend: Backend): void {
  const options = { limits: { maxFileSize: 2 ** 20 } }

  it.each(obstacles)('is in the sandbox again, and no change, with %s in it', async (_what, put) => {
    const source = await hostDirectory(tree)
    put(join(source, 'd/sub'))
    const sandbox = await backend.open({
      ...options,
      binds: [{ source, destination: '/work', exclude: ['*.log'] }],
    })
    const { mark } = await sandbox.changes()
    const removal = await sandbox.execute('rm -rf /work/d; ls /work')
    expect([removal.stdout, removal.stderr.match(/'[^']*' stays/g)]).toEqual([
      '',
      ["'/work/d/sub' stays", "'/work/d' stays"],
    ])
    const removed = ['/work/d/a', '/work/d/other', '/work/d/other/c', '/work/d/sub/b']
    for (const since of [undefined, mark]) {
      const { changes } = await sandbox.changes(since === undefined ? {} : { since })
      expect(changes.map(({ path, change }) => [path, change])).toEqual(
        removed.map((path) => [path, 'removed']),
      )
    }
    expect((await sandbox.execute('find /work')).stdout).toBe('/work\n/work/d\n/work/d/sub\n')
    expect(readdirSync(join(source, 'd'))).toEqual(['sub'])
    expect((await sandbox.execute('echo b > /work/d/sub/b')).stderr).toBe('')
    expect(readFileSync(join(source, 'd/sub/b'), 'utf8')).toBe('b\n')
  })

  it('goes with what the host did not let be removed, once it does', async ({ skip }) => {
    const source = await hostDirectory(tree)
    const locked = join(source, 'd/sub/b')
    const lock = (flag: string) => execFileSync('chattr', [flag, locked], { stdio: 'ignore' })
    try {
      lock('+i')
    } catch {
      skip('This file system has no immutable files.')
    }
    onTestFinished(() => {
      try {
        lock('-i')
      } catch {
        // It is removed.
      }
    })
    const sandbox = await backend.open({ binds: [{ source, destination: '/work' }] })
    const failure = { code: 'MIRROR_FAILED', pending: [{ path: '/work/d/sub/b' }], exitCode: 0 }
    await expect(sandbox.execute('rm -rf /work/d')).rejects.toMatchObject(failure)
    await expect(sandbox.execute('find /work')).rejects.toMatchObject({ ...failure, stdout: '/work\n' })
    expect(await treeOf(source)).toEqual({ 'd/': '', 'd/sub/': '', 'd/sub/b': 'b' })
    lock('-i')
    await sandbox.execute('true')
    expect(await treeOf(source)).toEqual({})
    expect((await sandbox.execute('find /work')).stdout).toBe('/work\n')
  })

  it('stays removed from a copy, and is removed from the host once it is empty', async () => {
    const source = await hostDirectory(tree)
    mkdirSync(join(source, 'd/keep'))
    const sandbox = await backend.open({
      binds: [{ source, destination: '/work', mode: 'copy', exclude: ['keep'] }],
    })
    await sandbox.execute('rm -rf /work/d')
    const paths = async () => (await sandbox.changes()).changes.map(({ path }) => path)
    const before = await paths()
    expect((await sandbox.applyChanges({ bind: '/work' })).removed).not.toContain('/work/d')
    expect(await treeOf(source)).toEqual({ 'd/': '', 'd/keep/': '' })
    expect(await paths()).toEqual(before)
    execFileSync('rmdir', [join(source, 'd/keep')])
    expect((await sandbox.applyChanges({ bind: '/work' })).removed).toEqual(['/work/d'])
    expect(await treeOf(source)).toEqual({})
  })
}
