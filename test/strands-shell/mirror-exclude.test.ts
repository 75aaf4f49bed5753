import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Backend, backends } from './support/backend.ts'
import { result } from './support/expected.ts'
import { hostDirectory, plant, treeOf } from './support/host-tree.ts'

describe.each(backends)('exclude ($name)', excludes)

const list = 'cd /work; find . -type f | sed "s/^..//" | sort'

function excludes(backend: Backend): void {
  const tree = {
    '.git/config': 'c',
    'a.log': 'a',
    'keep.log': 'k',
    'node_modules/m/index.js': 'm',
    'src/a.ts': 'ts',
    'src/b.log': 'b',
    'src/node_modules/n/index.js': 'n',
    'build/out.js': 'o',
    'src/build/in.js': 'i',
    'deep/x/y/z.tmp': 'z',
  }
  const exclude = ['node_modules/', '.git', '*.log', '!keep.log', '/build', '# a remark', 'deep/**/*.tmp']

  it.each(['direct', 'copy'] as const)('takes the patterns of a .gitignore, in mode %s', async (mode) => {
    const source = await hostDirectory(tree)
    const sandbox = await backend.open({ binds: [{ source, destination: '/work', mode, exclude }] })
    expect(await sandbox.execute(list)).toEqual(result({ stdout: 'keep.log\nsrc/a.ts\nsrc/build/in.js\n' }))
    expect((await sandbox.listFiles('/work')).map(({ name }) => name)).toEqual(['deep', 'keep.log', 'src'])
    expect((await sandbox.describe()).binds).toEqual([
      { source, destination: '/work', mode, readonly: false, exclude },
    ])
  })

  it('keeps excluded files on their side, whatever the other side does', async () => {
    const source = await hostDirectory(tree)
    const sandbox = await backend.open({ binds: [{ source, destination: '/work', exclude }] })
    await sandbox.execute(
      'cd /work; mkdir -p node_modules/own build; echo s > node_modules/own/f; echo s > build/s; echo s > s.log; echo s > s.ts',
    )
    await plant(source, { 'node_modules/m/late.js': 'l', 'h.log': 'h', 'h.ts': 'h' })
    const own = 'build/s\nnode_modules/own/f\ns.log\n'
    expect((await sandbox.execute(list)).stdout.split('\n').sort()).toEqual(
      `${own}h.ts\nkeep.log\ns.ts\nsrc/a.ts\nsrc/build/in.js\n`.split('\n').sort(),
    )
    expect(await treeOf(source)).toMatchObject({ ...tree, 's.ts': 's\n', 'h.log': 'h', 'h.ts': 'h' })
    expect(await treeOf(source)).not.toHaveProperty(['s.log'])
    expect(await sandbox.readText('/work/s.log')).toBe('s\n')
    await sandbox.writeText('/work/t.log', 't')
    await sandbox.removeFile('/work/s.log')
    expect(
      Object.keys(await treeOf(source))
        .filter((path) => path.endsWith('.log'))
        .sort(),
    ).toEqual(['a.log', 'h.log', 'keep.log', 'src/b.log'])
    await sandbox.execute('rm -rf /work/*')
    expect(await treeOf(source)).toEqual({
      '.git/': '',
      '.git/config': 'c',
      'a.log': 'a',
      'h.log': 'h',
      'src/': '',
      'src/b.log': 'b',
      'node_modules/': '',
      'node_modules/m/': '',
      'node_modules/m/index.js': 'm',
      'node_modules/m/late.js': 'l',
      'src/node_modules/': '',
      'src/node_modules/n/': '',
      'src/node_modules/n/index.js': 'n',
      'build/': '',
      'build/out.js': 'o',
      'deep/': '',
      'deep/x/': '',
      'deep/x/y/': '',
      'deep/x/y/z.tmp': 'z',
    })
  })

  it('removes a directory that the host removed, with the excluded files in it', async () => {
    const source = await hostDirectory(tree)
    const sandbox = await backend.open({ binds: [{ source, destination: '/work', exclude }] })
    await sandbox.execute('echo s > /work/src/own.log; echo s > /work/own.log')
    await rm(join(source, 'src'), { recursive: true })
    expect(await sandbox.execute(list)).toEqual(result({ stdout: 'keep.log\nown.log\n' }))
  })
}
