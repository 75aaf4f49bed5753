import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { MirrorError } from '../../src/index.ts'
import { describeEngines, type HostedEngine } from '../support/describe-engines.ts'
import { result } from './support/expected.ts'
import { factsOf, failureOf } from './support/failure.ts'
import { hostDirectory, treeOf } from './support/host-tree.ts'
import { temporaryDirectory } from './support/temporary.ts'

describeEngines('binds', binds)

function binds(engine: HostedEngine): void {
  const { mirrors } = engine.capabilities

  it('a copy shows the host’s files and keeps every change from the host', async () => {
    const source = await project()
    const sandbox = await engine.open({ binds: [{ source, destination: '/work', mode: 'copy' }] })
    expect(await sandbox.execute('cat /work/file /work/sub/deep')).toEqual(result({ stdout: 'host\ndeep\n' }))
    await sandbox.execute('echo changed > /work/file; rm /work/sub/deep; echo new > /work/new')
    await sandbox.writeText('/work/sub/written', 'x')
    expect(await sandbox.execute('cat /work/file /work/new')).toEqual(result({ stdout: 'changed\nnew\n' }))
    expect(await treeOf(source)).toEqual({ file: 'host\n', 'sub/': '', 'sub/deep': 'deep\n' })
  })

  it.runIf(mirrors).each(['/home', '/usr', '/'])(
    'a copy adds to a directory of the engine: %s',
    async (destination) => {
      const source = await project()
      const sandbox = await engine.open({ binds: [{ source, destination, mode: 'copy', exclude: ['out'] }] })
      const at = (path: string) => join(destination, path)
      expect((await sandbox.execute(`cat ${at('file')} ${at('sub/deep')}; ls -d /home/lash`)).stdout).toBe(
        'host\ndeep\n/home/lash\n',
      )
      const { exitCode } = await sandbox.execute(
        `echo changed > ${at('file')} && echo new > ${at('sub/new')} && rm ${at('sub/deep')}`,
      )
      expect(exitCode).toBe(0)
      const { changes } = await sandbox.changes()
      expect(changes.map(({ path, change }) => [path, change]).sort()).toEqual(
        [
          [at('file'), 'changed'],
          [at('sub/deep'), 'removed'],
          [at('sub/new'), 'added'],
        ].sort(),
      )
      expect(await treeOf(source)).toEqual({ file: 'host\n', 'sub/': '', 'sub/deep': 'deep\n' })
    },
  )

  it.runIf(mirrors)('a copy with a link where the engine takes no new entries is refused', async () => {
    const source = await project()
    await symlink('file', join(source, 'link'))
    const opening = engine.open({ binds: [{ source, destination: '/home', mode: 'copy' }] })
    await expect(opening).rejects.toMatchObject({ code: 'INVALID_CONFIG', field: 'binds' })
  })

  it.runIf(mirrors)('a copy is made at open: later changes of the host do not show', async () => {
    const source = await project()
    const sandbox = await engine.open({ binds: [{ source, destination: '/work', mode: 'copy' }] })
    await writeFile(join(source, 'file'), 'later\n')
    expect(await sandbox.readText('/work/file')).toBe('host\n')
  })

  it('a read-only direct bind shows the host as it is and refuses every write', async () => {
    const source = await project()
    const sandbox = await engine.open({ binds: [{ source, destination: '/work', readonly: true }] })
    await writeFile(join(source, 'file'), 'later\n')
    expect(await sandbox.readText('/work/file')).toBe('later\n')
    const denied = (path: string) => ({ name: 'SandboxPermissionError', code: 'PERMISSION_DENIED', path })
    expect(await factsOf(sandbox.writeFile('/work/file', new Uint8Array(1)))).toEqual(denied('/work/file'))
    expect(await factsOf(sandbox.writeFile('/work/new', new Uint8Array(1)))).toEqual(denied('/work/new'))
    expect(await factsOf(sandbox.removeFile('/work/file'))).toEqual(denied('/work/file'))
    expect((await sandbox.execute('rm /work/file')).exitCode).not.toBe(0)
    expect((await sandbox.execute('mkdir /work/dir')).exitCode).not.toBe(0)
    await sandbox.execute('echo x > /work/new; echo x >> /work/file')
    expect(await treeOf(source)).toEqual({ file: 'later\n', 'sub/': '', 'sub/deep': 'deep\n' })
  })

  it('a writable direct bind takes files to the host', async () => {
    const source = await project()
    const sandbox = await engine.open({ binds: [{ source, destination: '/work' }] })
    await sandbox.writeText('/work/made', 'by the sandbox')
    await sandbox.removeFile('/work/file')
    expect(await treeOf(source)).toEqual({ made: 'by the sandbox', 'sub/': '', 'sub/deep': 'deep\n' })
  })

  it('a refused write to a writable direct bind leaves the host’s file whole', async () => {
    const source = await project()
    const sandbox = await engine.open({
      binds: [{ source, destination: '/work' }],
      limits: { maxFileSize: 100 },
    })
    expect(await factsOf(sandbox.writeFile('/work/file', new Uint8Array(101)))).toMatchObject({
      code: 'LIMIT_EXCEEDED',
    })
    expect(await treeOf(source)).toEqual({ file: 'host\n', 'sub/': '', 'sub/deep': 'deep\n' })
  })

  it('the roots of binds are listed as the directories they are, and listings are sorted', async () => {
    const [source, other] = await Promise.all([project(), project()])
    for (const directory of [source, other]) await writeFile(join(directory, 'a'), '')
    const sandbox = await engine.open({
      binds: [
        { source, destination: '/mnt/direct', readonly: true },
        { source, destination: '/mnt/copy', mode: 'copy' },
        { source: other, destination: '/mnt/mirror' },
      ],
    })
    expect(await sandbox.listFiles('/mnt')).toEqual([
      { name: 'copy', isDir: true, size: 0 },
      { name: 'direct', isDir: true, size: 0 },
      { name: 'mirror', isDir: true, size: 0 },
    ])
    const expected = [
      { name: 'a', isDir: false, size: 0 },
      { name: 'file', isDir: false, size: 5 },
      { name: 'sub', isDir: true, size: 0 },
    ]
    expect(await sandbox.listFiles('/mnt/direct')).toEqual(expected)
    expect(await sandbox.listFiles('/mnt/copy')).toEqual(expected)
    expect(await sandbox.listFiles('/mnt/mirror')).toEqual(expected)
  })

  it('a relative source is taken from the working directory at construction', async () => {
    const source = await project()
    const sandbox = engine.create({
      binds: [{ source: relative(process.cwd(), source), destination: '/work', mode: 'copy' }],
    })
    const before = process.cwd()
    onTestFinished(() => process.chdir(before))
    process.chdir('/')
    expect(await sandbox.readText('/work/file')).toBe('host\n')
  })

  it.each(['direct', 'copy'] as const)('a single file can be bound, %s', async (mode) => {
    const source = join(await project(), 'file')
    const sandbox = await engine.open({ binds: [{ source, destination: '/one', mode, readonly: true }] })
    expect(await sandbox.execute('cat /one')).toEqual(result({ stdout: 'host\n' }))
    expect(await factsOf(sandbox.listFiles('/one'))).toMatchObject({ code: 'PATH_NOT_FOUND', path: '/one' })
  })

  it.each(['direct', 'copy'] as const)(
    'a source that does not exist is refused with its field, %s',
    async (mode) => {
      const missing = join(await temporaryDirectory(), 'missing')
      const sandbox = engine.create({
        binds: [
          { source: await project(), destination: '/good', mode },
          { source: missing, destination: '/bad', mode },
        ],
      })
      expect(await factsOf(sandbox.open())).toEqual({
        name: 'SandboxConfigError',
        code: 'INVALID_CONFIG',
        field: 'binds[1].source',
      })
      await expect(sandbox.execute('true')).rejects.toThrow(missing)
      expect(sandbox.status).toBe('new')
      await mkdir(missing)
      expect(await sandbox.execute('ls /bad')).toEqual(result())
    },
  )

  it.each([
    ['direct', {}],
    ['read-only direct', { readonly: true }],
    ...(mirrors ? ([['passthrough', { mode: 'passthrough' }]] as const) : []),
    ['copy', { mode: 'copy' }],
  ] as const)('nothing leads out of a bind, %s', async (what, how) => {
    const outside = await temporaryDirectory()
    await writeFile(join(outside, 'secret'), 'host secret')
    const source = await project()
    await symlink(join(outside, 'secret'), join(source, 'link'))
    await symlink(outside, join(source, 'dir'))
    const sandbox = await engine.open({
      binds: [{ source, destination: '/work', ...how }],
    })
    const paths = ['/work/link', '/work/dir/secret', `/work/../${outside}/secret`, join(outside, 'secret')]
    for (const path of paths) {
      const { stdout } = await sandbox.execute(`cat '${path}'; cd '${path}/..' && cat secret`)
      expect(stdout).toBe('')
      expect((await factsOf(sandbox.readFile(path)))['code']).not.toBe('WORKER_LOST')
    }
    const wrote = sandbox.execute('echo overwritten > /work/link; echo overwritten > /work/dir/secret')
    // A mirror leaves such a link out, so that the sandbox can make a file of that name; the host's link stays.
    if (mirrors && what === 'direct') expect(await failureOf(wrote)).toBeInstanceOf(MirrorError)
    else await wrote
    expect(await readFile(join(outside, 'secret'), 'utf8')).toBe('host secret')
  })
}

function project(): Promise<string> {
  return hostDirectory({ file: 'host\n', 'sub/deep': 'deep\n' })
}
