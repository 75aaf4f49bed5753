import { link, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Backend, backends } from './support/backend.ts'
import { result } from './support/expected.ts'
import { hostActs } from './support/host-acts.ts'
import { hostDirectory, type Tree, treeOf } from './support/host-tree.ts'

const before = { file: 'old\n', other: 'OLD\n', 'dir/in': 'i\n', 'dir/sub/deep': 'd\n', link: '-> file' }
const planted: Tree = { ...before, 'dir/': '', 'dir/sub/': '' }

describe.each(backends)('the changes of a call are on the host when it resolves ($name)', writesOut)

function writesOut(backend: Backend): void {
  /** A sandbox with a mirror of a fresh directory at `/work`. */
  async function mirrored() {
    const source = await hostDirectory(before)
    return { source, sandbox: await backend.open({ binds: [{ source, destination: '/work' }] }) }
  }

  it.each<[string, string, Tree]>([
    ['a new file', 'echo n > /work/new', { new: 'n\n' }],
    ['an empty file', ': > /work/new', { new: '' }],
    ['a file overwritten with the same size', 'echo new > /work/file', { file: 'new\n' }],
    ['a file written twice in one command', 'echo 1 > /work/file; echo 2 > /work/file', { file: '2\n' }],
    ['a file made empty', ': > /work/file', { file: '' }],
    ['one append', 'echo more >> /work/file', { file: 'old\nmore\n' }],
    [
      'a loop of appends',
      'for n in 0 1 2 3 4 5 6 7 8 9; do echo $n >> /work/log; done',
      { log: '0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n' },
    ],
    [
      'a loop with one redirection',
      'for n in a b c; do echo $n; done >> /work/file',
      { file: 'old\na\nb\nc\n' },
    ],
    ['a file edited in place', 'sed -i s/o/0/ /work/file', { file: '0ld\n' }],
    [
      'a pipeline',
      'cat /work/file /work/other | sort | tee /work/new > /work/dir/new',
      { new: 'OLD\nold\n', 'dir/new': 'OLD\nold\n' },
    ],
    ['a background job that was waited for', '(sleep 0.05; echo b > /work/new) & wait', { new: 'b\n' }],
    [
      'directories',
      'mkdir -p /work/a/b/c /work/dir/empty',
      { 'a/': '', 'a/b/': '', 'a/b/c/': '', 'dir/empty/': '' },
    ],
    [
      'a copied tree',
      'cp -r /work/dir /work/twin',
      { 'twin/': '', 'twin/in': 'i\n', 'twin/sub/': '', 'twin/sub/deep': 'd\n' },
    ],
    ['a link', 'ln -s dir/in /work/new', { new: '-> dir/in' }],
    ['what is written through a link', 'echo through > /work/link', { file: 'through\n' }],
    ['what a glob finds', 'for f in /work/o*; do echo found > $f; done', { other: 'found\n' }],
    ['a move in from elsewhere', 'echo t > /tmp/t; mv /tmp/t /work/t', { t: 't\n' }],
    ['what a command did that failed', 'echo kept > /work/new; false', { new: 'kept\n' }],
    ['what the lines before a syntax error did', 'echo kept > /work/new\nif then fi', { new: 'kept\n' }],
    ['what was done before exit', 'echo kept > /work/new; exit 3; echo no > /work/never', { new: 'kept\n' }],
    [
      'names with blanks, quotes, line breaks, dashes and no ASCII',
      `cd /work; printf 1 > 'a b'; printf 2 > "it's"; printf 3 > './-n'; printf 4 > 'x -> y'; printf 5 > 'é😀'; printf 6 > 'l1
l2'; printf 7 > '$HOME *'; printf 8 > 'end:'`,
      {
        'a b': '1',
        "it's": '2',
        '-n': '3',
        'x -> y': '4',
        'é😀': '5',
        'l1\nl2': '6',
        '$HOME *': '7',
        'end:': '8',
      },
    ],
  ])('%s', async (_what, command, added) => {
    const { source, sandbox } = await mirrored()
    await sandbox.execute(command)
    expect(await treeOf(source)).toEqual({ ...planted, ...added })
  })

  it.each<[string, string, readonly string[], Tree]>([
    ['a removed file', 'rm /work/file', ['file'], {}],
    ['a removed tree', 'rm -rf /work/dir', ['dir/', 'dir/in', 'dir/sub/', 'dir/sub/deep'], {}],
    ['a removed link, and its target stays', 'rm /work/link', ['link'], {}],
    ['a renamed file', 'mv /work/file /work/f', ['file'], { f: 'old\n' }],
    ['a file moved over another of its size', 'mv /work/file /work/other', ['file'], { other: 'old\n' }],
    ['a move out', 'mv /work/file /tmp/file', ['file'], {}],
    [
      'a renamed directory',
      'mv /work/dir/sub /work/s',
      ['dir/sub/', 'dir/sub/deep'],
      { 's/': '', 's/deep': 'd\n' },
    ],
    [
      'a file in the place of a directory',
      'rm -r /work/dir/sub; echo f > /work/dir/sub',
      ['dir/sub/', 'dir/sub/deep'],
      { 'dir/sub': 'f\n' },
    ],
    [
      'a directory in the place of a file',
      'rm /work/file; mkdir /work/file; echo x > /work/file/x',
      ['file'],
      { 'file/': '', 'file/x': 'x\n' },
    ],
    ['a link in the place of a file', 'rm /work/file; ln -s other /work/file', [], { file: '-> other' }],
    ['everything', 'rm -rf /work/*', Object.keys(planted), {}],
  ])('%s', async (_what, command, removed, added) => {
    const { source, sandbox } = await mirrored()
    expect(await sandbox.execute(command)).toEqual(result())
    const rest = Object.entries(planted).filter(([path]) => !removed.includes(path))
    expect(await treeOf(source)).toEqual({ ...Object.fromEntries(rest), ...added })
  })

  it('writes bytes that are not text', async () => {
    const { source, sandbox } = await mirrored()
    const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => (index * 31) % 256)
    await sandbox.writeFile('/tmp/bytes', bytes)
    await sandbox.execute('cp /tmp/bytes /work/bytes')
    expect(await readFile(join(source, 'bytes'))).toEqual(Buffer.from(bytes))
  })

  it('files and directories may have CR LF in their names', async () => {
    const names = { 'a\r\nb': 'old\n', 'd\r\ne/in': 'i\n', '\r\n': 'x\n' }
    const source = await hostDirectory(names)
    const sandbox = await backend.open({ binds: [{ source, destination: '/work' }] })
    await sandbox.writeText('/work/a\r\nb', 'new\n')
    await sandbox.writeText('/work/d\r\ne/made\r\n', 'made\n')
    await sandbox.removeFile('/work/\r\n')
    expect(await sandbox.execute('echo all > /work/all')).toEqual(result())
    expect(await sandbox.readText('/work/d\r\ne/in')).toBe('i\n')
    const now = { 'a\r\nb': 'new\n', 'd\r\ne/in': 'i\n', 'd\r\ne/made\r\n': 'made\n', all: 'all\n' }
    expect(await treeOf(source)).toEqual({ ...now, 'd\r\ne/': '' })
    expect((await sandbox.listFiles('/work')).map(({ name }) => name)).toEqual(['a\r\nb', 'all', 'd\r\ne'])
  })

  it('writes a tree of sixty levels, and three hundred files of one command', async () => {
    const { source, sandbox } = await mirrored()
    const deep = Array.from({ length: 60 }, (_, level) => `l${level}`).join('/')
    await sandbox.execute(`mkdir -p /work/${deep} && echo bottom > /work/${deep}/file`)
    expect(await readFile(join(source, deep, 'file'), 'utf8')).toBe('bottom\n')
    await sandbox.execute(
      'mkdir /work/many; i=0; while [ $i -lt 300 ]; do echo $i > /work/many/$i; i=$((i + 1)); done',
    )
    const many = Object.entries(await treeOf(join(source, 'many')))
    expect(many.length).toBe(300)
    expect(many.filter(([name, text]) => text !== `${name}\n`)).toEqual([])
  })

  it('writes nothing before the end of the command', async () => {
    const source = await hostDirectory({ file: 'old\n' })
    let meanwhile: Tree = {}
    const { pause, allowedUrls } = await hostActs(async () => {
      meanwhile = await treeOf(source)
    })
    const sandbox = await backend.open({ binds: [{ source, destination: '/work' }], allowedUrls })
    await sandbox.execute(`echo new > /work/file; echo n > /work/new; ${pause}`)
    expect(meanwhile).toEqual({ file: 'old\n' })
    expect(await treeOf(source)).toEqual({ file: 'new\n', new: 'n\n' })
  })

  it('replaces one name of a file that has several hard links on the host', async () => {
    const { source, sandbox } = await mirrored()
    await link(join(source, 'file'), join(source, 'dir/second'))
    await sandbox.execute('echo new > /work/file')
    expect(await treeOf(source)).toEqual({ ...planted, file: 'new\n', 'dir/second': 'old\n' })
  })

  it('keeps inode and times of files that did not change', async () => {
    const { source, sandbox } = await mirrored()
    await writeFile(join(source, 'quiet'), 'q')
    const then = await stat(join(source, 'quiet'), { bigint: true })
    await sandbox.execute('cat /work/quiet; echo new > /work/file; rm /work/other')
    const { ino, mtimeNs, ctimeNs } = await stat(join(source, 'quiet'), { bigint: true })
    expect({ ino, mtimeNs, ctimeNs }).toEqual({ ino: then.ino, mtimeNs: then.mtimeNs, ctimeNs: then.ctimeNs })
  })
}
