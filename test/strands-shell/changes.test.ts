import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ChangeReport } from '../../src/index.ts'
import { type Backend, backends } from './support/backend.ts'
import { result } from './support/expected.ts'
import { factsOf, failureOf } from './support/failure.ts'
import { hostDirectory, plant, treeOf } from './support/host-tree.ts'

const tree = { file: 'old\n', gone: 'g\n', 'dir/in': 'i\n', 'dir/sub/deep': 'd\n' }

describe.each(backends)('changes() ($name)', changes)

/** A report as lines: `+ path` for added, `~` for changed, `-` for removed; `path/` is a directory, `path@` a link. */
function linesOf({ changes: all }: ChangeReport): string[] {
  const signs = { added: '+', changed: '~', removed: '-' }
  const ends = { file: '', directory: '/', link: '@' }
  return all.map(({ path, kind, change }) => `${signs[change]} ${path}${ends[kind]}`)
}

function changes(backend: Backend): void {
  describe.each(['direct', 'copy'] as const)('of a %s bind', (mode) => {
    async function bound() {
      const source = await hostDirectory(tree)
      const sandbox = await backend.open({ binds: [{ source, destination: '/work', mode }] })
      return {
        source,
        sandbox,
        changed: async (since?: string) =>
          linesOf(await sandbox.changes(since === undefined ? {} : { since })),
      }
    }

    it('nothing, as long as the sandbox only reads', async () => {
      const { source, sandbox, changed } = await bound()
      await sandbox.execute('cat /work/file; ls -R /work; grep -r i /work')
      await sandbox.readFile('/work/file')
      await plant(source, { file: 'host\n', late: 'l' })
      await sandbox.execute('cat /work/file')
      expect(await changed()).toEqual([])
    })

    it('what was added, changed and removed, by commands and by file operations, sorted by path', async () => {
      const { sandbox, changed } = await bound()
      await sandbox.execute(
        'cd /work; echo n > new; echo more >> file; rm gone; mkdir -p made/deep; ln -s file link; chmod 700 dir/in; mv dir/sub dir/moved',
      )
      await sandbox.writeText('/work/written', 'w')
      expect(await changed()).toEqual([
        '~ /work/dir/in',
        '+ /work/dir/moved/',
        '+ /work/dir/moved/deep',
        '- /work/dir/sub/',
        '- /work/dir/sub/deep',
        '~ /work/file',
        '- /work/gone',
        '+ /work/link@',
        '+ /work/made/',
        '+ /work/made/deep/',
        '+ /work/new',
        '+ /work/written',
      ])
      expect((await sandbox.changes()).changes[0]).toEqual({
        bind: '/work',
        path: '/work/dir/in',
        kind: 'file',
        change: 'changed',
      })
    })

    it('the net of all calls: what came and went again is not there', async () => {
      const { sandbox, changed } = await bound()
      await sandbox.execute('echo 1 > /work/passing; echo 1 > /work/stays; rm /work/file')
      await sandbox.execute('rm /work/passing; echo 2 > /work/stays; echo again > /work/file; rm /work/gone')
      await sandbox.execute('rm -r /work/dir/sub; echo now a file > /work/dir/sub')
      expect(await changed()).toEqual([
        '~ /work/dir/sub',
        '- /work/dir/sub/deep',
        '~ /work/file',
        '- /work/gone',
        '+ /work/stays',
      ])
    })

    it('since a mark only what came later, any number of times and from any mark', async () => {
      const { sandbox, changed } = await bound()
      const start = await sandbox.changes()
      await sandbox.execute('echo 1 > /work/a; echo 1 > /work/b')
      const first = await sandbox.changes()
      await sandbox.execute('echo 2 > /work/b; rm /work/file')
      const second = await sandbox.changes({ since: first.mark })
      await sandbox.execute('rm /work/a')
      expect(linesOf(start)).toEqual([])
      expect(linesOf(first)).toEqual(['+ /work/a', '+ /work/b'])
      expect(linesOf(second)).toEqual(['~ /work/b', '- /work/file'])
      expect(await changed(second.mark)).toEqual(['- /work/a'])
      expect(await changed(first.mark)).toEqual(['- /work/a', '~ /work/b', '- /work/file'])
      expect(await changed(start.mark)).toEqual(['+ /work/b', '- /work/file'])
      expect(await changed()).toEqual(['+ /work/b', '- /work/file'])
      expect(new Set([start.mark, first.mark, second.mark]).size).toBe(3)
    })

    it('not what is excluded', async () => {
      const source = await hostDirectory(tree)
      const sandbox = await backend.open({
        binds: [{ source, destination: '/work', mode, exclude: ['*.log', 'dir/'] }],
      })
      await sandbox.execute('cd /work; echo 1 > a.log; mkdir -p dir; echo 2 > dir/x; echo 3 > y')
      expect(linesOf(await sandbox.changes())).toEqual(['+ /work/y'])
    })
  })

  it('of several binds together, each named; of read-only ones and places of the sandbox’s own nothing', async () => {
    const [one, two, three] = [
      await hostDirectory(tree),
      await hostDirectory(tree),
      await hostDirectory(tree),
    ]
    const sandbox = await backend.open({
      binds: [
        { source: one, destination: '/z/one' },
        { source: two, destination: '/a/two', mode: 'copy' },
        { source: three, destination: '/m', readonly: true },
      ],
    })
    await sandbox.execute('echo 1 > /z/one/file; echo 2 > /a/two/file; echo 3 > /m/file; echo 4 > /tmp/file')
    expect((await sandbox.changes()).changes).toEqual([
      { bind: '/a/two', path: '/a/two/file', kind: 'file', change: 'changed' },
      { bind: '/z/one', path: '/z/one/file', kind: 'file', change: 'changed' },
    ])
  })

  it('a sandbox without such binds has none, and takes its own mark', async () => {
    const sandbox = await backend.open()
    await sandbox.execute('echo 1 > /tmp/file')
    const { mark, changes: none } = await sandbox.changes()
    expect(none).toEqual([])
    expect((await sandbox.changes({ since: mark })).changes).toEqual([])
  })

  it('a mark of nowhere, of another session or of another sandbox is refused', async () => {
    const source = await hostDirectory(tree)
    const config = { binds: [{ source, destination: '/work' }], onInterrupt: 'reset' as const }
    const sandbox = await backend.open(config)
    const other = await backend.open(config)
    const { mark } = await sandbox.changes()
    const refused = { name: 'SandboxConfigError', code: 'INVALID_CONFIG', field: 'since' }
    for (const since of ['nowhere', `${mark}9`, (await other.changes()).mark]) {
      expect({ since, ...(await factsOf(sandbox.changes({ since }))) }).toEqual({ since, ...refused })
    }
    await failureOf(sandbox.execute('sleep 1', { timeout: 0.05 }))
    expect(await factsOf(sandbox.changes({ since: mark }))).toEqual(refused)
    expect(await sandbox.execute('cat /work/file')).toEqual(result({ stdout: 'old\n' }))
    expect((await sandbox.changes()).changes).toEqual([])
  })

  it('what is pending for the host is a change, too, once', async () => {
    const source = await hostDirectory(tree)
    const sandbox = await backend.open({ binds: [{ source, destination: '/work' }] })
    await sandbox.execute('ln -s /etc out')
    await sandbox.execute('cd /work; ln -s ../../x out')
    expect(linesOf(await sandbox.changes())).toEqual(['+ /work/out@'])
    await writeFile(join(source, 'late'), 'l')
    await sandbox.execute('cat /work/late')
    expect(linesOf(await sandbox.changes())).toEqual(['+ /work/out@'])
    expect(await treeOf(source)).not.toHaveProperty('out')
  })
}
