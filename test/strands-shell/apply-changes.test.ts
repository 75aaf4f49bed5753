import { describe, expect, it } from 'vitest'
import { type Backend, backends } from './support/backend.ts'
import { hostDirectory, treeOf } from './support/host-tree.ts'

const planted = { file: 'old\n', gone: 'g\n', 'dir/': '', 'dir/in': 'i\n' }

describe.each(backends)('applyChanges() ($name)', applying)

function applying(backend: Backend): void {
  async function copied(exclude: readonly string[] = []) {
    const source = await hostDirectory(planted)
    const sandbox = await backend.open({ binds: [{ source, destination: '/work', mode: 'copy', exclude }] })
    return { source, sandbox }
  }

  const edit =
    'cd /work; echo mine >> file; rm gone; mkdir -p a/b; echo n > a/b/new; ln -s file link; echo x > dir/x'

  it.each([[[]], [['*.log']]])(
    'writes all that the sandbox changed, and says what: exclude %j',
    async (exclude) => {
      const { source, sandbox } = await copied(exclude)
      await sandbox.execute(edit)
      expect(await treeOf(source)).toEqual(planted)
      expect(await sandbox.applyChanges({ bind: '/work' })).toEqual({
        written: expect.arrayContaining([
          '/work/a',
          '/work/a/b',
          '/work/a/b/new',
          '/work/dir/x',
          '/work/file',
          '/work/link',
        ]),
        removed: ['/work/gone'],
        conflicts: [],
      })
      const { gone: _gone, ...rest } = planted
      const after = {
        ...rest,
        file: 'old\nmine\n',
        'a/': '',
        'a/b/': '',
        'a/b/new': 'n\n',
        link: '-> file',
        'dir/x': 'x\n',
      }
      expect(await treeOf(source)).toEqual(after)
      expect(await sandbox.applyChanges({ bind: '/work' })).toEqual({
        written: [],
        removed: [],
        conflicts: [],
      })
      await sandbox.execute('echo again > /work/dir/x')
      expect(await treeOf(source)).toEqual(after)
      expect((await sandbox.applyChanges({ bind: '/work' })).written).toEqual(['/work/dir/x'])
      expect(await treeOf(source)).toEqual({ ...after, 'dir/x': 'again\n' })
    },
  )

  it('with paths only those, the directories that lead to them, and what is in them', async () => {
    const { source, sandbox } = await copied()
    await sandbox.execute(`${edit}; echo o > a/other`)
    expect(
      await sandbox.applyChanges({
        bind: '/work',
        paths: ['/work/a/b/new', '/work/gone', '/work/not-changed'],
      }),
    ).toEqual({
      written: ['/work/a', '/work/a/b', '/work/a/b/new'],
      removed: ['/work/gone'],
      conflicts: [],
    })
    const { gone: _gone, ...rest } = planted
    expect(await treeOf(source)).toEqual({ ...rest, 'a/': '', 'a/b/': '', 'a/b/new': 'n\n' })
    expect(await sandbox.applyChanges({ bind: '/work', paths: [] })).toEqual({
      written: [],
      removed: [],
      conflicts: [],
    })
    expect(
      (await sandbox.applyChanges({ bind: '/work', paths: ['/work/a', '/work/dir/'] })).written.toSorted(),
    ).toEqual(['/work/a/other', '/work/dir/x'])
    expect((await sandbox.applyChanges({ bind: '/work', paths: ['/work'] })).written.toSorted()).toEqual([
      '/work/file',
      '/work/link',
    ])
  })

  it('changes stay in the report of changes() when they have been applied', async () => {
    const { sandbox } = await copied()
    await sandbox.execute('echo mine > /work/file')
    const { mark, changes } = await sandbox.changes()
    await sandbox.applyChanges({ bind: '/work' })
    expect((await sandbox.changes()).changes).toEqual(changes)
    expect((await sandbox.changes({ since: mark })).changes).toEqual([])
  })
}
