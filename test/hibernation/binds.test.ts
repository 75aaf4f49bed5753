import { execFileSync } from 'node:child_process'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { directoryStore, ShellHost, Snapshot, type SnapshotStore } from '../../src/index.ts'
import { contentOf, snapshotOf } from '../../src/snapshot/snapshot.ts'
import { until } from '../faults/helpers.ts'
import { endOf } from '../session/support/ends.ts'
import { hostDirectory } from '../strands-shell/support/host-tree.ts'
import { isFull } from '../support/tier.ts'

const isolation = 'shared'

/** One for all that need no store: the start of its thread is most of what a host takes. */
const plain = new ShellHost({ isolation })
afterAll(() => plain.close())

function hostOf(store?: SnapshotStore): ShellHost {
  if (store === undefined) return plain
  const host = new ShellHost({ isolation, hibernate: { store } })
  onTestFinished(() => host.close())
  return host
}

async function storeOf(): Promise<SnapshotStore> {
  return directoryStore(await hostDirectory({}), { key: 'a secret of at least 16 bytes' })
}

type Sandbox = Awaited<ReturnType<ShellHost['open']>>

const print = async (sandbox: Pick<Sandbox, 'execute'>, command: string) => {
  const { stdout, stderr } = await sandbox.execute(command)
  return (stdout + stderr).trim()
}

const changesOf = async (sandbox: Pick<Sandbox, 'changes'>, since?: string) => {
  const { changes, mark } = await sandbox.changes({ since })
  return { mark, changes: changes.map(({ path, kind, change }) => `${change} ${kind} ${path}`) }
}

/** Goes on with a session after it has slept. */
type Sleep = (
  sandbox: Sandbox,
  config: Parameters<ShellHost['open']>[0],
  meanwhile: () => Promise<void>,
) => Promise<Sandbox>

/** Gets each conflict that is told. */
function listen(sandbox: Sandbox): object[] {
  const conflicts: object[] = []
  sandbox.on('conflict', ({ path, kept }) => conflicts.push(kept === undefined ? { path } : { path, kept }))
  return conflicts
}

/** How a session goes on. */
const ways: Readonly<Record<string, { readonly named: boolean; readonly sleep: Sleep }>> = {
  'hibernates in its host': {
    named: true,
    sleep: async (sandbox, _, meanwhile) => {
      expect(await sandbox.hibernate()).toBe(true)
      await meanwhile()
      return sandbox
    },
  },
  'is woken in a second host': {
    named: true,
    sleep: async (sandbox, config, meanwhile) => {
      const { host, store } = hosts.get(sandbox) ?? {}
      await host?.drain({ hibernate: true })
      await meanwhile()
      return hostOf(store).getOrOpen(sandbox.id ?? '', config)
    },
  },
  'is opened from bytes of its snapshot': {
    named: false,
    sleep: async (sandbox, config, meanwhile) => {
      const bytes = await (await sandbox.snapshot()).toBytes({ gzip: true })
      await sandbox.close()
      await meanwhile()
      const host = hostOf()
      return host.open(config, { snapshot: await Snapshot.from(bytes) })
    },
  },
}

const hosts = new WeakMap<Sandbox, { host: ShellHost; store: SnapshotStore }>()

async function open(config: Parameters<ShellHost['open']>[0], named: boolean): Promise<Sandbox> {
  const store = await storeOf()
  const host = hostOf(named ? store : undefined)
  const sandbox = named ? await host.getOrOpen('user 7', config) : await host.open(config)
  hosts.set(sandbox, { host, store })
  return sandbox
}

/** In the default tier each way has one shell. */
const all = Object.keys(ways).flatMap((way, index) =>
  (['bash', 'strands'] as const).flatMap((shell, turn) =>
    isFull || (index + turn) % 2 === 0 ? [{ shell, way }] : [],
  ),
)

describe.each(all)('a session of $shell that $way', ({ shell, way }) => {
  const { named, sleep } = ways[way] ?? { named: false, sleep: () => Promise.reject(new Error(way)) }

  it('has the changes of its copy over what the host has then', async () => {
    const source = await hostDirectory({
      a: 'a\n',
      b: 'b\n',
      gone: 'gone\n',
      'd/x': 'x\n',
      'd/y': 'y\n',
      'r/x': 'x\n',
    })
    const config = {
      shell,
      binds: [{ source, destination: '/work', mode: 'copy', exclude: ['own/'] }],
    } as const
    const first = await open(config, named)
    await first.execute('echo edited > /work/r/x; echo t > /work/tmp')
    await first.execute(
      'cd /work && rm -r r tmp && mkdir r && echo n > r/n && echo mine > a && rm gone && rm -r d && mkdir e own && echo z > e/z && echo o > own/o && chmod 600 b && ln -s a l && cd e',
    )
    const { mark, changes } = await changesOf(first)
    const seen = 'ls -R /work; cat /work/a /work/b /work/own/o; pwd; ls -l /work/b | cut -c1-10'
    const before = await print(first, seen)
    const second = await sleep(first, config, async () => {
      await writeFile(join(source, 'a'), 'theirs\n')
      await writeFile(join(source, 'new'), 'new\n')
      await writeFile(join(source, 'd/new'), 'in what was removed\n')
    })
    expect((await print(second, seen)).replace('new\n', '')).toBe(before)
    expect((await changesOf(second)).changes).toEqual(changes)
    expect((await changesOf(second, mark)).changes).toEqual([])
    await second.execute('echo later > /work/later')
    expect((await changesOf(second, mark)).changes).toEqual(['added file /work/later'])

    const applied = await second.applyChanges({ bind: '/work' })
    expect(applied.conflicts.map(({ path, kept }) => ({ path, kept }))).toEqual([
      { path: '/work/a', kept: '/work/a.host-conflict' },
    ])
    const names = ['a', 'a.host-conflict', 'b', 'd', 'e', 'l', 'later', 'new', 'r']
    expect((await readdir(source)).sort()).toEqual(names)
    expect([await readdir(join(source, 'd')), await readdir(join(source, 'r'))]).toEqual([['new'], ['n']])
    expect(await readFile(join(source, 'a.host-conflict'), 'utf8')).toBe('theirs\n')
    expect(await readFile(join(source, 'e/z'), 'utf8')).toBe('z\n')
  })

  it('tells what the host changed of that which it had changed in a direct bind', async () => {
    const source = await hostDirectory({ a: 'a\n', b: 'b\n', c: 'c\n', gone: 'gone\n' })
    const config = { shell, binds: [{ source, destination: '/work' }] } as const
    const first = await open(config, named)
    await first.execute('cd /work && echo mine > a && echo mine > c && rm gone && mkdir d && echo d > d/f')
    const { mark, changes } = await changesOf(first)
    await first.execute('echo 2 > /work/two')
    const conflicts = listen(first)
    const second = await sleep(first, config, async () => {
      await writeFile(join(source, 'a'), 'theirs\n')
      await writeFile(join(source, 'b'), 'theirs\n')
      // The same again is no change.
      await rm(join(source, 'c'))
      await writeFile(join(source, 'c'), 'mine\n')
      await rm(join(source, 'd/f'))
      await writeFile(join(source, 'gone'), 'again\n')
    })
    expect(await print(second, 'cd /work; cat a b c two gone; ls d')).toBe('theirs\ntheirs\nmine\n2\nagain')
    // What was met before anybody listened is told to the first one that does.
    const told = second === first ? conflicts : listen(second)
    await until(() => told.length > 0)
    expect(told).toEqual([{ path: '/work/a' }, { path: '/work/d/f' }, { path: '/work/gone' }])
    expect((await changesOf(second)).changes).toEqual([...changes, 'added file /work/two'].sort(byPath))
    expect((await changesOf(second, mark)).changes).toEqual(['added file /work/two'])
    if (!named) return
    await second.hibernate()
    expect([await print(second, 'cat /work/a'), told.length]).toEqual(['theirs', 3])
  })
})

const byPath = (one: string, other: string) => {
  const [, , left = ''] = one.split(' ')
  const [, , right = ''] = other.split(' ')
  return left < right ? -1 : 1
}

const forged = [
  ['own', '../out'],
  ['own', 'a/../../out'],
  ['own', '/out'],
  ['own', 'a//b'],
  ['own', 'a\0'],
  ['own', ''],
  ['known', '../out'],
  ['other', 'a'],
] as const

/** The engines share what reads the facts: in the default tier each has every second one. */
const forgedFor = (shell: 'bash' | 'strands') =>
  forged.filter((_, index) => isFull || index % 2 === (shell === 'bash' ? 0 : 1))

describe.each(['bash', 'strands'] as const)('snapshots of binds of %s', (shell) => {
  it('are forked: both have the changes and the marks until then, and no others of each other', async () => {
    const source = await hostDirectory({ a: 'a\n' })
    const config = { shell, binds: [{ source, destination: '/work', mode: 'copy' }] } as const
    const first = await hostOf().open(config)
    await first.execute('echo 1 > /work/a')
    const { mark } = await changesOf(first)
    const fork = await first.fork()
    const { mark: later } = await changesOf(first)
    await changesOf(fork)
    await fork.execute('echo fork > /work/b')
    expect(await print(first, 'cat /work/*')).toBe('1')
    expect(await print(fork, 'cat /work/*')).toBe('1\nfork')
    expect((await changesOf(fork, mark)).changes).toEqual(['added file /work/b'])
    expect(await endOf(fork.changes({ since: later }))).toMatchObject([
      'INVALID_CONFIG',
      expect.stringMatching(/^since must be a mark/),
    ])
  })

  it('tell a conflict once, also where a look alone has woken the session', async () => {
    const source = await hostDirectory({})
    const config = { shell, binds: [{ source, destination: '/work' }] } as const
    const sandbox = await hostOf(await storeOf()).getOrOpen('a', config)
    const conflicts = listen(sandbox)
    await sandbox.execute('echo mine > /work/a')
    for (const text of ['1', '2', '2']) {
      await sandbox.hibernate()
      await writeFile(join(source, 'a'), text)
      expect(await sandbox.readText('/work/a')).toBe(text)
    }
    expect(conflicts).toEqual([{ path: '/work/a' }, { path: '/work/a' }])
  })

  it('are put back: the copy is as it was, and what was applied since is on the host', async () => {
    const source = await hostDirectory({ a: 'a\n' })
    const binds = [{ source, destination: '/work', mode: 'copy' }] as const
    const sandbox = await hostOf().open({ shell, binds })
    await sandbox.execute('echo 1 > /work/a')
    const snapshot = await sandbox.snapshot()
    expect(snapshot.omitted.filter(({ kind }) => kind === 'bind')).toEqual([])
    await sandbox.execute('echo 2 > /work/a; echo b > /work/b')
    await sandbox.restore(snapshot)
    expect([await print(sandbox, 'cat /work/*'), (await changesOf(sandbox)).changes]).toEqual([
      '1',
      ['changed file /work/a'],
    ])
    await sandbox.applyChanges({ bind: '/work' })
    expect(await readFile(join(source, 'a'), 'utf8')).toBe('1\n')
  })

  it('have the change of a file that is bound alone', async () => {
    const directory = await hostDirectory({ plan: 'first\n' })
    const source = join(directory, 'plan')
    const config = { shell, binds: [{ source, destination: '/tmp/plan', mode: 'copy' }] } as const
    const sandbox = await hostOf().open(config)
    await sandbox.execute('echo mine > /tmp/plan')
    const again = await hostOf().open(config, { snapshot: await sandbox.snapshot() })
    expect(await print(again, 'cat /tmp/plan')).toBe('mine')
    if (shell === 'strands') {
      await again.execute('rm /tmp/plan')
      const last = await hostOf().open(config, { snapshot: await again.snapshot() })
      expect((await last.execute('cat /tmp/plan')).exitCode).toBe(1)
      await last.applyChanges({ bind: '/tmp/plan' })
      expect(await readdir(directory)).toEqual([])
    }
  })

  it.each(forgedFor(shell))('are refused with a forged fact: %s %j', async (kind, rel) => {
    const source = await hostDirectory({ a: 'a\n' })
    const config = { shell, binds: [{ source, destination: '/work', mode: 'copy' }] } as const
    const sandbox = await hostOf().open(config)
    await sandbox.execute('echo 1 > /work/a')
    const content = contentOf(await sandbox.snapshot())
    const entries = content.facts.entries.map((entry) => {
      const [, word = '', name = ''] = entry.key.split(' ')
      if (!entry.key.startsWith('bind ') || (word !== kind && kind !== 'other')) return entry
      const [mode, destination] = JSON.parse(name)
      return { ...entry, key: `bind ${kind} ${JSON.stringify([mode, destination, rel])}` }
    })
    const facts = { ...content.facts, entries: [...new Map(entries.map((one) => [one.key, one])).values()] }
    const snapshot = snapshotOf({ ...content, facts })
    await expect(hostOf().open(config, { snapshot })).rejects.toMatchObject({
      code: 'INVALID_SNAPSHOT',
    })
    expect(await readdir(source)).toEqual(['a'])
  })

  it('leave another bind alone that is bound inside the copy since', async () => {
    const [source, inner] = [await hostDirectory({ 'in/x': 'x', a: 'a' }), await hostDirectory({ y: 'y' })]
    const copy = { source, destination: '/work', mode: 'copy' } as const
    const sandbox = await hostOf().open({ shell, binds: [copy] })
    await sandbox.execute('rm -r /work/in; echo 1 > /work/a')
    const snapshot = await sandbox.snapshot()
    const binds = [copy, { source: inner, destination: '/work/in/live' }]
    const again = await hostOf().open({ shell, binds }, { snapshot })
    expect(await print(again, 'cat /work/a /work/in/live/y')).toBe('1\ny')
    await again.applyChanges({ bind: '/work' })
    expect([await readdir(inner), await readFile(join(source, 'a'), 'utf8')]).toEqual([['y'], '1\n'])
  })

  it('are refused where a copy is missing that they have changes of', async () => {
    const source = await hostDirectory({ a: 'a\n' })
    const host = hostOf()
    const sandbox = await host.open({ shell, binds: [{ source, destination: '/work', mode: 'copy' }] })
    await sandbox.execute('echo 1 > /work/a')
    const snapshot = await sandbox.snapshot()
    for (const bind of [[], [{ source, destination: '/work' }]]) {
      const again = await host.open({ shell, binds: bind }, { snapshot }).catch((error: unknown) => error)
      expect(again).toMatchObject({
        code: 'INVALID_SNAPSHOT',
        message: expect.stringMatching(
          /changes of a writable copy at '\/work', and this sandbox has none there/,
        ),
      })
    }
    const files = await host.open({ shell }, { snapshot, filesOnly: true })
    expect((await files.execute('ls -d /work')).exitCode).not.toBe(0)
    expect(await readFile(join(source, 'a'), 'utf8')).toBe('a\n')
  })
})

describe('a writable copy of bash', () => {
  it('has its changes after a loss', async () => {
    const source = await hostDirectory({ a: 'a\n' })
    const sandbox = await hostOf().open({
      shell: 'bash',
      onInterrupt: 'restore',
      binds: [{ source, destination: '/work', mode: 'copy' }],
    })
    await sandbox.execute('echo kept > /work/a')
    const call = sandbox.execute('rm /work/a; while :; do :; done', { timeout: 0.5 })
    expect(await endOf(call)).toMatchObject(['TIMEOUT', expect.any(String)])
    expect(await print(sandbox, 'cat /work/a')).toBe('kept')
    expect((await changesOf(sandbox)).changes).toEqual(['changed file /work/a'])
  })

  it('remembers what it has read: what the host changed since is a conflict', async () => {
    const source = await hostDirectory({ a: '1\n' })
    const config = { shell: 'bash', binds: [{ source, destination: '/work', mode: 'copy' }] } as const
    const sandbox = await hostOf(await storeOf()).getOrOpen('a', config)
    await sandbox.execute('x=$(cat /work/a)')
    await sandbox.hibernate()
    await writeFile(join(source, 'a'), '5\n')
    await sandbox.execute('echo $((x + 1)) > /work/a')
    const { conflicts } = await sandbox.applyChanges({ bind: '/work' })
    expect(conflicts.map(({ kept }) => kept)).toEqual(['/work/a.host-conflict'])
  })
})

describe('a mirrored bind', () => {
  it('keeps what its host has refused, and writes it after the wake', async () => {
    const source = await hostDirectory({})
    const config = { shell: 'strands', binds: [{ source, destination: '/work' }] } as const
    const sandbox = await hostOf(await storeOf()).getOrOpen('a', config)
    const conflicts = listen(sandbox)
    execFileSync('mkfifo', [join(source, 'b')])
    await expect(sandbox.execute('echo mine > /work/b; echo c > /work/c')).rejects.toMatchObject({
      code: 'MIRROR_FAILED',
    })
    await sandbox.hibernate()
    await rm(join(source, 'b'))
    await writeFile(join(source, 'b'), 'theirs\n')
    expect(await print(sandbox, 'cat /work/b /work/c')).toMatch(/^mine\nc\n/)
    expect(await readFile(join(source, 'b'), 'utf8')).toBe('mine\n')
    expect(await readFile(join(source, 'b.host-conflict'), 'utf8')).toBe('theirs\n')
    expect(conflicts).toEqual([{ path: '/work/b', kept: '/work/b.host-conflict' }])
  })

  it('sees what a restored function changes, whatever its name', async () => {
    const source = await hostDirectory({ a: 'a\n' })
    const config = { shell: 'strands', binds: [{ source, destination: '/work' }] } as const
    const sandbox = await hostOf(await storeOf()).getOrOpen('a', config)
    await sandbox.execute('cat() { echo changed > /work/a; }')
    await sandbox.hibernate()
    await sandbox.execute('cat /work/a')
    expect(await readFile(join(source, 'a'), 'utf8')).toBe('changed\n')
  })
})
