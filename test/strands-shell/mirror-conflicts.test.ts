import { rename, rm, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ConflictData } from '../../src/index.ts'
import { conflictOf } from '../support/event-fields.ts'
import { type Backend, backends } from './support/backend.ts'
import { result } from './support/expected.ts'
import { hostActs } from './support/host-acts.ts'
import { hostDirectory, plant, type Tree, treeOf } from './support/host-tree.ts'

const planted: Tree = { file: 'old\n', other: 'o\n', 'dir/': '', 'dir/in': 'i\n' }

type Act = (source: string) => Promise<unknown>

describe.each(backends)('a call during which host and sandbox both change ($name)', conflicts)

function conflicts(backend: Backend): void {
  /** Runs a command that the host disturbs at its `PAUSE`, and gathers all that is said of conflicts. */
  async function disturbed(command: string, act: Act, tree = planted) {
    const source = await hostDirectory(tree)
    const { pause, allowedUrls } = await hostActs(() => act(source))
    const sandbox = await backend.open({ binds: [{ source, destination: '/work' }], allowedUrls })
    const told: ConflictData[] = []
    sandbox.on('conflict', (conflict) => told.push(conflictOf(conflict)))
    const { stdout, stderr, exitCode } = await sandbox.execute(command.replace('PAUSE', pause))
    return { source, sandbox, told, stdout, stderr, exitCode }
  }

  const kept = (path: string, name = `${path}.host-conflict`) =>
    `strands-shell: conflict: '/work/${path}' changed on both sides; the host's version is kept as '/work/${name}'\n`
  const gone = (path: string) =>
    `strands-shell: conflict: the host removed '/work/${path}' while the sandbox changed it; it was written again\n`

  it('keeps both versions of a file, and reports the conflict on stderr and as an event', async () => {
    const { source, sandbox, told, ...output } = await disturbed(
      'PAUSE; echo mine > /work/file; echo said >&2; exit 3',
      (at) => plant(at, { file: 'theirs\n' }),
    )
    const tree = { ...planted, file: 'mine\n', 'file.host-conflict': 'theirs\n' }
    expect(await treeOf(source)).toEqual(tree)
    expect(output).toEqual({ exitCode: 3, stdout: '', stderr: `said\n${kept('file')}` })
    expect(told).toEqual([
      { path: '/work/file', hostPath: join(source, 'file'), kept: '/work/file.host-conflict' },
    ])
    expect(await sandbox.execute('cat /work/file.host-conflict')).toEqual(result({ stdout: 'theirs\n' }))
    expect(told.length).toBe(1)
  })

  it.each<[string, string, Act, Tree, string]>([
    [
      'a file both changed, the host without another size',
      'echo mine > /work/file',
      (at) => plant(at, { file: 'new\n' }),
      { ...planted, file: 'mine\n', 'file.host-conflict': 'new\n' },
      kept('file'),
    ],
    [
      'a file both made',
      'echo mine > /work/new',
      (at) => plant(at, { new: 'theirs\n' }),
      { ...planted, new: 'mine\n', 'new.host-conflict': 'theirs\n' },
      kept('new'),
    ],
    [
      'a file the host removed and the sandbox changed',
      'echo mine > /work/file',
      (at) => unlink(join(at, 'file')),
      { ...planted, file: 'mine\n' },
      gone('file'),
    ],
    [
      'a file the sandbox removed and the host changed',
      'rm /work/file',
      (at) => plant(at, { file: 'theirs\n' }),
      { 'file.host-conflict': 'theirs\n', other: 'o\n', 'dir/': '', 'dir/in': 'i\n' },
      kept('file'),
    ],
    [
      'a file both renamed away',
      'mv /work/file /work/mine',
      (at) => rename(join(at, 'file'), join(at, 'theirs')),
      { mine: 'old\n', theirs: 'old\n', other: 'o\n', 'dir/': '', 'dir/in': 'i\n' },
      '',
    ],
    [
      'a file both removed',
      'rm /work/file',
      (at) => unlink(join(at, 'file')),
      { other: 'o\n', 'dir/': '', 'dir/in': 'i\n' },
      '',
    ],
    [
      'a file both gave the same content',
      'echo same > /work/file',
      (at) => plant(at, { file: 'same\n' }),
      { ...planted, file: 'same\n' },
      '',
    ],
    [
      'a directory both made',
      'mkdir /work/new; echo m > /work/new/mine',
      (at) => plant(at, { 'new/theirs': 't\n' }),
      { ...planted, 'new/': '', 'new/mine': 'm\n', 'new/theirs': 't\n' },
      '',
    ],
    [
      'a directory the sandbox removed, in which the host made a file',
      'rm -r /work/dir',
      (at) => plant(at, { 'dir/theirs': 't\n' }),
      { file: 'old\n', other: 'o\n', 'dir/': '', 'dir/theirs': 't\n' },
      "strands-shell: '/work/dir' stays: the host still has something in it\n",
    ],
    [
      'a directory the host removed, in which the sandbox made a file',
      'echo m > /work/dir/mine',
      (at) => rm(join(at, 'dir'), { recursive: true }),
      { file: 'old\n', other: 'o\n', 'dir/': '', 'dir/mine': 'm\n' },
      '',
    ],
    [
      'a file where the host made a directory',
      'echo mine > /work/new',
      (at) => plant(at, { 'new/theirs': 't\n' }),
      { ...planted, new: 'mine\n', 'new.host-conflict/': '', 'new.host-conflict/theirs': 't\n' },
      kept('new'),
    ],
    [
      'a directory where the host made a file',
      'mkdir /work/new; echo m > /work/new/mine',
      (at) => plant(at, { new: 'theirs\n' }),
      { ...planted, 'new/': '', 'new/mine': 'm\n', 'new.host-conflict': 'theirs\n' },
      kept('new'),
    ],
    [
      'two files, of which they changed one each',
      'echo mine > /work/file',
      (at) => plant(at, { other: 'theirs\n' }),
      { ...planted, file: 'mine\n', other: 'theirs\n' },
      '',
    ],
    [
      'a file the host changed, beside those that the sandbox removed, made and renamed',
      'cd /work; rm file; echo n > new; mv new moved',
      (at) => plant(at, { other: 'theirs\n' }),
      { other: 'theirs\n', 'dir/': '', 'dir/in': 'i\n', moved: 'n\n' },
      '',
    ],
  ])('%s', async (_what, command, act, tree, stderr) => {
    const { source, sandbox, told, ...output } = await disturbed(`PAUSE; ${command}`, act)
    expect(await treeOf(source)).toEqual(tree)
    expect(output).toEqual({ exitCode: 0, stdout: '', stderr })
    expect(told.length).toBe(stderr.includes('conflict:') ? 1 : 0)
    const { stdout } = await sandbox.execute('cd /work; find . -type f | wc -l')
    expect(Number(stdout)).toBe(Object.keys(tree).filter((path) => !path.endsWith('/')).length)
    expect(await treeOf(source)).toEqual(tree)
    expect(told.length).toBe(stderr.includes('conflict:') ? 1 : 0)
  })

  it('keeps each further version of the host under a name of its own', async () => {
    let round = 0
    const { source, sandbox, told } = await disturbed('PAUSE; echo 1 > /work/file', (at) =>
      plant(at, { file: `theirs ${++round}\n` }),
    )
    const again = `curl -s ${(await sandbox.describe()).allowedUrls[0]}`
    await sandbox.execute(`${again}; echo 2 > /work/file`)
    await sandbox.execute(`${again}; echo 3 > /work/file`)
    expect(await treeOf(source)).toEqual({
      ...planted,
      file: '3\n',
      'file.host-conflict': 'theirs 1\n',
      'file.host-conflict-2': 'theirs 2\n',
      'file.host-conflict-3': 'theirs 3\n',
    })
    expect(told.map(({ kept: name }) => name)).toEqual([
      '/work/file.host-conflict',
      '/work/file.host-conflict-2',
      '/work/file.host-conflict-3',
    ])
  })

  it('does not call a removed listener', async () => {
    const source = await hostDirectory(planted)
    const { pause, allowedUrls } = await hostActs(() => plant(source, { file: 'theirs\n' }))
    const sandbox = backend.create({ binds: [{ source, destination: '/work' }], allowedUrls })
    const told: ConflictData[] = []
    const listener = (conflict: ConflictData) => told.push(conflict)
    sandbox.on('conflict', listener).off('conflict', listener)
    const { stderr } = await sandbox.execute(`${pause}; echo mine > /work/file`)
    expect({ told, stderr }).toEqual({ told: [], stderr: kept('file') })
  })
}
