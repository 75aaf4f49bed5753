import { execFile } from 'node:child_process'
import { chmod, link, rename, rm, truncate, unlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { type Backend, backends } from './support/backend.ts'
import { result } from './support/expected.ts'
import { hostActs } from './support/host-acts.ts'
import { hostDirectory, plant, type Tree, treeOf } from './support/host-tree.ts'

const run = promisify(execFile)

describe.each(backends)('a call on a mirrored bind starts with the files of the host ($name)', bringsIn)

function bringsIn(backend: Backend): void {
  /** A sandbox with a mirror of a fresh directory at `/work`. */
  async function mirrored(tree: Tree) {
    const source = await hostDirectory(tree)
    return { source, sandbox: await backend.open({ binds: [{ source, destination: '/work' }] }) }
  }

  it('has the files, directories and links that exist at open', async () => {
    const tree = { 'a/b/c': 'deep\n', 'empty/': '', link: '-> a/b/c', zero: '', '.hidden': 'dot\n' }
    const { source, sandbox } = await mirrored(tree)
    expect(await sandbox.execute('cat /work/link /work/.hidden; cd /work && echo * a/*')).toEqual(
      result({ stdout: 'deep\ndot\na empty link zero a/b\n' }),
    )
    expect(await sandbox.listFiles('/work')).toEqual(
      ['.hidden', 'a', 'empty', 'link', 'zero'].map((name) =>
        expect.objectContaining({ name, isDir: name === 'a' || name === 'empty' }),
      ),
    )
    expect(await treeOf(source)).toEqual({ 'a/': '', 'a/b/': '', ...tree })
  })

  it.each<[string, (source: string) => Promise<unknown>, string]>([
    ['a new file', (source) => writeFile(join(source, 'new'), 'n\n'), 'dir/in=i\nfile=old\nnew=n\n'],
    ['a changed file', (source) => writeFile(join(source, 'file'), 'longer\n'), 'dir/in=i\nfile=longer\n'],
    [
      'a change of the same size',
      (source) => writeFile(join(source, 'file'), 'OLD\n'),
      'dir/in=i\nfile=OLD\n',
    ],
    ['a file made empty', (source) => truncate(join(source, 'file')), 'dir/in=i\nfile=\n'],
    ['a removed file', (source) => unlink(join(source, 'file')), 'dir/in=i\n'],
    ['a removed directory', (source) => rm(join(source, 'dir'), { recursive: true }), 'file=old\n'],
    ['a renamed file', (source) => rename(join(source, 'file'), join(source, 'f')), 'dir/in=i\nf=old\n'],
    ['a renamed directory', (source) => rename(join(source, 'dir'), join(source, 'd')), 'd/in=i\nfile=old\n'],
    [
      'a file renamed over another',
      (source) => rename(join(source, 'dir/in'), join(source, 'file')),
      'file=i\n',
    ],
    [
      'a new tree',
      (source) => plant(source, { 'n/e/w': 'tree\n', 'n/empty/': '' }),
      'dir/in=i\nfile=old\nn/e/w=tree\n',
    ],
    [
      'a change whose time was set back',
      async (source) => {
        await writeFile(join(source, 'file'), 'NEW\n')
        await utimes(join(source, 'file'), 1, 1)
      },
      'dir/in=i\nfile=NEW\n',
    ],
    [
      'a time in the future',
      async (source) => {
        await writeFile(join(source, 'file'), 'then\n')
        await utimes(join(source, 'file'), 9e9, 9e9)
      },
      'dir/in=i\nfile=then\n',
    ],
    [
      'a directory in the place of a file',
      async (source) => {
        await unlink(join(source, 'file'))
        await plant(source, { 'file/x': 'y\n' })
      },
      'dir/in=i\nfile/x=y\n',
    ],
    [
      'a file in the place of a directory',
      async (source) => {
        await rm(join(source, 'dir'), { recursive: true })
        await plant(source, { dir: 'flat\n' })
      },
      'dir=flat\nfile=old\n',
    ],
    [
      'a link in the place of a file, then of another target',
      async (source) => {
        await unlink(join(source, 'file'))
        await plant(source, { file: '-> dir/in' })
      },
      'dir/in=i\nfile=i\n',
    ],
  ])('%s', async (_what, change, expected) => {
    const { source, sandbox } = await mirrored({ file: 'old\n', 'dir/in': 'i\n' })
    const show =
      'cd /work; find . -type f -o -type l | sed "s/^..//" | sort > /tmp/names; while read n; do echo "$n=$(cat $n)"; done < /tmp/names'
    expect((await sandbox.execute(show)).stdout).toBe('dir/in=i\nfile=old\n')
    await change(source)
    const after = await treeOf(source)
    expect(await sandbox.execute(show)).toEqual(result({ stdout: expected }))
    expect(await treeOf(source)).toEqual(after)
  })

  it('has changed permissions, also of files that the sandbox must not write any more', async () => {
    const { source, sandbox } = await mirrored({ file: 'a\n', 'dir/in': 'b\n' })
    await chmod(join(source, 'file'), 0o750)
    await chmod(join(source, 'dir'), 0o700)
    const first = await sandbox.execute('ls -la /work')
    expect(first.stdout).toMatch(/^-rwxr-x--- .* file$/m)
    expect(first.stdout).toMatch(/^drwx------ .* dir$/m)
    await chmod(join(source, 'file'), 0o400)
    expect((await sandbox.execute('ls -la /work')).stdout).toMatch(/^-r-------- .* file$/m)
    await writeFile(join(source, 'file'), 'changed under a read-only mode\n')
    expect(await sandbox.execute('cat /work/file')).toEqual(
      result({ stdout: 'changed under a read-only mode\n' }),
    )
    expect((await sandbox.execute('ls -la /work')).stdout).toMatch(/^-r-------- .* file$/m)
  })

  it('has each of hundreds of changes of the same size, made right after the last look', async () => {
    const { source, sandbox } = await mirrored({ file: '000' })
    const seen: string[] = []
    const written = Array.from({ length: 200 }, (_, index) => String(100 + index))
    for (const text of written) {
      await writeFile(join(source, 'file'), text)
      seen.push((await sandbox.execute('cat /work/file')).stdout)
    }
    expect(seen).toEqual(written)
  })

  it('has a second hard link of a file', async () => {
    const { source, sandbox } = await mirrored({ file: 'both\n' })
    await link(join(source, 'file'), join(source, 'second'))
    expect(await sandbox.execute('cat /work/second')).toEqual(result({ stdout: 'both\n' }))
  })

  it('does not have later changes until the next call', async () => {
    const source = await hostDirectory({ file: 'before\n' })
    const { pause, allowedUrls } = await hostActs(() => plant(source, { file: 'during\n', new: 'n\n' }))
    const sandbox = await backend.open({ binds: [{ source, destination: '/work' }], allowedUrls })
    expect(await sandbox.execute(`${pause}; cat /work/file; echo /work/*`)).toEqual(
      result({ stdout: 'before\n/work/file\n' }),
    )
    expect(await sandbox.execute('cat /work/file; echo /work/*')).toEqual(
      result({ stdout: 'during\n/work/file /work/new\n' }),
    )
  })

  it('does not wait for a FIFO of the host', async () => {
    const { source, sandbox } = await mirrored({ file: 'a\n' })
    await run('mkfifo', [join(source, 'pipe')])
    expect(await sandbox.execute('cat /work/*; ls /work')).toEqual(result({ stdout: 'a\nfile\n' }))
    await sandbox.execute('echo b > /work/other')
    expect(await treeOf(source)).toEqual({ file: 'a\n', other: 'b\n', pipe: '?' })
  })
}
