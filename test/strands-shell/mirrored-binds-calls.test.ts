import { unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Backend, backends } from './support/backend.ts'
import { result } from './support/expected.ts'
import { factsOf } from './support/failure.ts'
import { hostDirectory, plant, type Tree, treeOf } from './support/host-tree.ts'

const planted: Tree = { file: 'old\n', 'dir/': '', 'dir/in': 'i\n' }

describe.each(backends)('every kind of call mirrors ($name)', calls)

function calls(backend: Backend): void {
  /** A sandbox with a mirror of a fresh directory at `/work`. */
  async function mirrored() {
    const source = await hostDirectory(planted)
    return { source, sandbox: await backend.open({ binds: [{ source, destination: '/work' }] }) }
  }

  it('mirrors around a scoped command with cwd and env', async () => {
    const { source, sandbox } = await mirrored()
    await plant(source, { 'dir/late': 'l\n' })
    const scope = { cwd: '/work/dir', env: { WHAT: "it's" } }
    expect(await sandbox.execute('cat late; echo "$WHAT" > made; rm in; cd /', scope)).toEqual(
      result({ stdout: 'l\n' }),
    )
    expect(await treeOf(source)).toEqual({
      file: 'old\n',
      'dir/': '',
      'dir/late': 'l\n',
      'dir/made': "it's\n",
    })
  })

  it('mirrors around code, and leaves no file of its own', async () => {
    const { source, sandbox } = await mirrored()
    await plant(source, { in: 'from the host' })
    await sandbox.execute('cd /work')
    const code =
      'local f = io.open("in"); local text = f:read("*a"); f:close(); f = io.open("/work/out", "w"); f:write(text .. "!"); f:close()'
    expect(await sandbox.executeCode(code, 'lua')).toEqual(result())
    expect(await treeOf(source)).toEqual({ ...planted, in: 'from the host', out: 'from the host!' })
    expect(await sandbox.executeCode(code, 'lua', { cwd: '/work/dir', env: { A: 'b' } })).toEqual(result())
    expect(await treeOf(source)).toEqual({ ...planted, in: 'from the host', out: 'i\n!' })
  })

  it('mirrors around streamed commands and code', async () => {
    const { source, sandbox } = await mirrored()
    for await (const event of sandbox.executeStreaming('echo s > /work/streamed'))
      expect(event).toEqual(result())
    for await (const event of sandbox.executeCodeStreaming('io.open("/work/code", "w"):close()', 'lua'))
      expect(event).toEqual(result())
    expect(await treeOf(source)).toEqual({ ...planted, streamed: 's\n', code: '' })
  })

  it.each([
    ['absolute', '/work/file', '/work/sub/new', '/work/dir'],
    ['relative', 'file', 'sub/new', 'dir'],
    ['roundabout', '/work//dir/../file', '/work/./sub//new', '/work/dir/'],
    ['through a link to the bind', '/tmp/link/file', '/tmp/link/sub/new', '/tmp/link/dir'],
    ['through a link inside it', '/work/here/../file', '/work/to-sub/new', '/work/here'],
    ['through a link that leads in from it', '/work/here/../file', '/tmp/deep/new', '/tmp/link/dir'],
  ])('mirrors around file operations, %s', async (_what, file, written, directory) => {
    const { source, sandbox } = await mirrored()
    await sandbox.execute(
      'cd /work; mkdir sub; ln -s /work /tmp/link; ln -s dir here; ln -s sub to-sub; ln -s /work/sub /tmp/deep',
    )
    const links = { here: '-> dir', 'to-sub': '-> sub', 'sub/': '' }
    await plant(source, { file: 'newer than open\n', 'dir/late': 'l\n' })
    expect(await sandbox.readText(file)).toBe('newer than open\n')
    expect((await sandbox.listFiles(directory)).map(({ name }) => name)).toEqual(['in', 'late'])
    await sandbox.writeText(written, 'w')
    expect(await treeOf(source)).toEqual({
      ...planted,
      ...links,
      file: 'newer than open\n',
      'dir/late': 'l\n',
      'sub/new': 'w',
    })
    await sandbox.writeText(written, 'W')
    await sandbox.removeFile(file)
    expect(await treeOf(source)).toEqual({
      ...links,
      'dir/': '',
      'dir/in': 'i\n',
      'dir/late': 'l\n',
      'sub/new': 'W',
    })
    await writeFile(join(source, 'sub/new'), 'host')
    expect(await sandbox.readText(written)).toBe('host')
  })

  it('rejects file operations on files that the host removed', async () => {
    const { source, sandbox } = await mirrored()
    await unlink(join(source, 'file'))
    const missing = { name: 'SandboxPathNotFoundError', code: 'PATH_NOT_FOUND', path: '/work/file' }
    expect(await factsOf(sandbox.readFile('/work/file'))).toEqual(missing)
    expect(await factsOf(sandbox.removeFile('/work/file'))).toEqual(missing)
    expect((await sandbox.listFiles('/work')).map(({ name }) => name)).toEqual(['dir'])
  })

  it('replaces a file that the host changed before a write, without a conflict', async () => {
    const { source, sandbox } = await mirrored()
    await plant(source, { file: 'changed between two calls\n' })
    await sandbox.writeText('/work/file', 'mine')
    expect(await treeOf(source)).toEqual({ ...planted, file: 'mine' })
  })

  it('writes what a command changed beside a file operation', async () => {
    const { source, sandbox } = await mirrored()
    await sandbox.execute('echo c > /work/command')
    await sandbox.writeText('/work/written', 'w')
    await sandbox.execute('cat /work/written >> /work/command')
    expect(await treeOf(source)).toEqual({ ...planted, command: 'c\nw', written: 'w' })
  })

  it('follows a path that the host turns into a directory and back', async () => {
    const { source, sandbox } = await mirrored()
    await unlink(join(source, 'file'))
    await plant(source, { 'file/x': 'x' })
    expect((await sandbox.listFiles('/work/file')).map(({ name }) => name)).toEqual(['x'])
    expect(await factsOf(sandbox.writeFile('/work/file', new Uint8Array(1)))).toMatchObject({
      code: 'IO_ERROR',
    })
    expect(await sandbox.readText('/work/file/x')).toBe('x')
    expect(await treeOf(source)).toEqual({ 'file/': '', 'file/x': 'x', 'dir/': '', 'dir/in': 'i\n' })
  })

  it('does not remove or rename the root of a bind', async () => {
    const { source, sandbox } = await mirrored()
    await sandbox.execute('rm -rf /work; mv /work /tmp/gone')
    await sandbox.execute('mkdir -p /work; echo back > /work/back')
    expect(await treeOf(source)).toEqual({ back: 'back\n' })
  })

  it('runs calls that are made at once in order, each with the files of the one before', async () => {
    const { source, sandbox } = await mirrored()
    const results = await Promise.all([
      sandbox.execute('echo 1 > /work/log'),
      sandbox.readText('/work/log'),
      sandbox.execute('echo 2 >> /work/log; cat /work/log'),
      sandbox.writeText('/work/log', '3'),
      sandbox.execute('cat /work/log'),
    ])
    expect(results).toEqual([
      result(),
      '1\n',
      result({ stdout: '1\n2\n' }),
      undefined,
      result({ stdout: '3' }),
    ])
    expect(await treeOf(source)).toEqual({ ...planted, log: '3' })
  })
}
