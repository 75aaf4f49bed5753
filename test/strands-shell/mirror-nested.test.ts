import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Backend, backends } from './support/backend.ts'
import { result } from './support/expected.ts'
import { hostDirectory, plant, treeOf } from './support/host-tree.ts'

const list = 'cd /work; find . -type f | sed "s/^..//" | sort'

describe.each(backends)('nested binds, several binds and binds of single files ($name)', nested)

function nested(backend: Backend): void {
  it('writes the changes of a bind inside another to its own source, and not to that of the outer bind', async () => {
    const outer = await hostDirectory({ file: 'outer', 'inner/hidden': 'h' })
    const inner = await hostDirectory({ file: 'inner' })
    const kept = await hostDirectory({ file: 'kept' })
    const sandbox = await backend.open({
      binds: [
        { source: outer, destination: '/work' },
        { source: inner, destination: '/work/inner' },
        { source: kept, destination: '/work/sub/copy', mode: 'copy' },
      ],
    })
    expect(
      await sandbox.execute('cat /work/file /work/inner/file /work/sub/copy/file; ls /work/inner'),
    ).toEqual(result({ stdout: 'outerinnerkeptfile\n' }))
    await sandbox.execute(
      'cd /work; echo 1 > file; echo 2 > inner/file; echo 3 > sub/copy/file; echo 4 > inner/new; echo 5 > sub/new',
    )
    expect(await treeOf(outer)).toEqual({
      file: '1\n',
      'inner/': '',
      'inner/hidden': 'h',
      'sub/': '',
      'sub/new': '5\n',
    })
    expect(await treeOf(inner)).toEqual({ file: '2\n', new: '4\n' })
    expect(await treeOf(kept)).toEqual({ file: 'kept' })
    await sandbox.writeText('/work/inner/written', 'w')
    expect(await treeOf(inner)).toEqual({ file: '2\n', new: '4\n', written: 'w' })
  })

  it.each(['removes', 'makes a file of'])(
    'a bind keeps its files when the host %s the directory that leads to it in another bind',
    async (how) => {
      const outer = await hostDirectory({ 'sub/beside': 'b' })
      const inner = await hostDirectory({ precious: 'p' })
      const sandbox = await backend.open({
        binds: [
          { source: outer, destination: '/work' },
          { source: inner, destination: '/work/sub/inner' },
        ],
      })
      await rm(join(outer, 'sub'), { recursive: true })
      if (how !== 'removes') await plant(outer, { sub: 'a file' })
      expect(await sandbox.execute(list)).toEqual(result({ stdout: 'sub/inner/precious\n' }))
      await sandbox.execute('echo n > /work/sub/inner/new')
      expect(await treeOf(inner)).toEqual({ precious: 'p', new: 'n\n' })
      expect(await treeOf(outer)).toEqual(how === 'removes' ? {} : { sub: 'a file' })
      const { skipped } = await sandbox.describe()
      expect(skipped).toEqual(
        how === 'removes' ? [] : [{ bind: '/work', path: '/work/sub', reason: 'another bind lies below' }],
      )
      await sandbox.execute('echo m > /work/sub/made')
      expect(await treeOf(outer)).toEqual({
        'sub/': '',
        'sub/made': 'm\n',
        ...(how === 'removes' ? {} : { 'sub.host-conflict': 'a file' }),
      })
    },
  )

  it.each([
    ['direct', []],
    ['copy', []],
    ['direct', ['*.log']],
    ['copy', ['*.log']],
  ] as const)(
    'what a bind has at the place of another one goes nowhere, and nothing is made on its host: %s, exclude %j',
    async (mode, exclude) => {
      const outer = await hostDirectory({ 'inner/hidden': 'h' })
      const inner = await hostDirectory({ file: 'i' })
      const sandbox = await backend.open({
        binds: [
          { source: inner, destination: '/work/inner' },
          { source: inner, destination: '/work/far/away', mode: 'copy' },
          { source: outer, destination: '/work', mode, exclude },
        ],
      })
      expect(await sandbox.execute(list)).toEqual(result({ stdout: 'far/away/file\ninner/file\n' }))
      await sandbox.execute('echo n > /work/inner/new')
      expect(await treeOf(inner)).toEqual({ file: 'i', new: 'n\n' })
      expect(await treeOf(outer)).toEqual({ 'inner/': '', 'inner/hidden': 'h' })
      const { changes } = await sandbox.changes()
      expect(changes.map(({ path }) => path)).toEqual(['/work/inner/new'])
    },
  )

  it('moves a file from one mirror to another', async () => {
    const one = await hostDirectory({ file: '1' })
    const two = await hostDirectory({ other: '2' })
    const sandbox = await backend.open({
      binds: [
        { source: one, destination: '/one' },
        { source: two, destination: '/two' },
      ],
    })
    await sandbox.execute('mv /one/file /two/file; cp /two/other /one/other')
    expect(await treeOf(one)).toEqual({ other: '2' })
    expect(await treeOf(two)).toEqual({ file: '1', other: '2' })
  })

  it('mirrors a single file', async () => {
    const directory = await hostDirectory({ file: 'old', beside: 'b' })
    const source = join(directory, 'file')
    const sandbox = await backend.open({ binds: [{ source, destination: '/etc/one' }] })
    expect(await sandbox.readText('/etc/one')).toBe('old')
    await sandbox.execute('echo new >> /etc/one')
    expect(await treeOf(directory)).toEqual({ file: 'oldnew\n', beside: 'b' })
    await writeFile(source, 'host')
    expect(await sandbox.execute('cat /etc/one')).toEqual(result({ stdout: 'host' }))
    await sandbox.writeText('/etc/one', 'w')
    expect(await treeOf(directory)).toEqual({ file: 'w', beside: 'b' })
  })

  it('resolves a source that is a link when the session opens', async () => {
    const parent = await hostDirectory({ 'real/file': 'r', 'other/file': 'o', link: '-> real' })
    const sandbox = await backend.open({ binds: [{ source: join(parent, 'link'), destination: '/work' }] })
    await rm(join(parent, 'link'))
    await plant(parent, { link: '-> other' })
    await sandbox.execute('echo new > /work/file')
    expect(await treeOf(parent)).toMatchObject({ 'real/file': 'new\n', 'other/file': 'o', link: '-> other' })
  })
}
