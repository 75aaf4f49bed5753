import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Backend, backends } from './support/backend.ts'
import { hostActs } from './support/host-acts.ts'
import { hostDirectory, modeOf, plant, treeOf } from './support/host-tree.ts'

describe.each(backends)('permissions in a mirrored bind ($name)', permissions)

function permissions(backend: Backend): void {
  it.each([
    [0o022, ['644', '755', '700']],
    [0o077, ['600', '700', '700']],
    [0o027, ['640', '750', '700']],
  ])('writes new files with the permissions of umask %i and chmod', async (umask, modes) => {
    const source = await hostDirectory()
    const sandbox = await backend.open({ binds: [{ source, destination: '/work' }], umask })
    await sandbox.execute('cd /work; echo 1 > new; mkdir dir; echo 3 > run; chmod 700 run')
    await sandbox.writeText('/work/dir2/written', 'w')
    const names = ['new', 'dir', 'run', 'dir2/written', 'dir2']
    const found = await Promise.all(names.map((name) => modeOf(join(source, name))))
    expect(found).toEqual([...modes, modes[0], modes[1]])
  })

  it('keeps the permissions of a host file that is written, and writes those of a chmod', async () => {
    const source = await hostDirectory({ file: 'old\n', other: 'o\n', 'dir/in': 'i\n' })
    const sandbox = await backend.open({ binds: [{ source, destination: '/work' }] })
    await chmod(join(source, 'file'), 0o751)
    await chmod(join(source, 'other'), 0o600)
    await sandbox.execute('echo new >> /work/file; chmod 640 /work/other; chmod 700 /work/dir')
    expect(await Promise.all(['file', 'other', 'dir'].map((name) => modeOf(join(source, name))))).toEqual([
      '751',
      '640',
      '700',
    ])
    expect(await treeOf(source)).toEqual({
      file: 'old\nnew\n',
      other: 'o\n',
      'dir/': '',
      'dir/in': 'i\n',
    })
  })

  it('keeps both changes when one side changes the permissions and the other the content during a call', async () => {
    const source = await hostDirectory({ file: 'old\n', other: 'o\n' })
    const { pause, allowedUrls } = await hostActs(async () => {
      await chmod(join(source, 'file'), 0o600)
      await plant(source, { other: 'theirs\n' })
    })
    const sandbox = await backend.open({ binds: [{ source, destination: '/work' }], allowedUrls })
    const { stderr } = await sandbox.execute(`${pause}; chmod 700 /work/other; echo mine > /work/file`)
    expect(stderr).toBe('')
    expect(await treeOf(source)).toEqual({ file: 'mine\n', other: 'theirs\n' })
    const modes = await Promise.all(['file', 'other'].map((name) => modeOf(join(source, name))))
    expect(modes).toEqual(['600', '700'])
  })
}
