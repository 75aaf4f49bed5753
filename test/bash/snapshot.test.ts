import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type BashConfig, BashSandbox } from '../../src/bash/index.ts'
import { ShellHost, type ShellHostOptions, Snapshot } from '../../src/index.ts'
import { contentOf, snapshotOf } from '../../src/snapshot/snapshot.ts'
import { hostDirectory } from '../strands-shell/support/host-tree.ts'
import { levelsOrThread } from '../support/describe-engines.ts'

const state = `x="a b"; list=(1 2); declare -A map=([k]=v); f() { echo "f $1 $((1 << 40))"; }; set -u; shopt -s nullglob
alias hi='echo hi'; cd /tmp; umask 027; set -- one two; echo kept > kept; ln -s kept link; chmod 4711 kept; touch -d 2001-02-03T04:05:06Z kept
rm /etc/hosts /data/gone; trap 'echo t' TERM; (exit 9)`
const look = `echo "$? $x \${list[1]} \${map[k]} $PWD $# $2 $(umask) $E"; f 1; cat link; stat -c '%n %a %Y' kept; ls /etc/hosts /data; trap; [[ -o nounset ]] && echo on; alias`
const config: BashConfig = {
  files: { '/data/a': 'from the config', '/data/gone': '' },
  env: { E: 'e' },
  init: 'echo init >> /tmp/log',
}

function hostOf(options: ShellHostOptions = {}): ShellHost {
  const host = new ShellHost({ isolation: 'shared', ...options })
  onTestFinished(() => host.close())
  return host
}

const show = async (sandbox: BashSandbox, command = look) => {
  const { exitCode, stdout, stderr } = await sandbox.execute(command)
  return [exitCode, stdout, stderr]
}
const print = async (sandbox: BashSandbox, command: string) => (await sandbox.execute(command)).stdout.trim()

describe.each(levelsOrThread)('a snapshot (%s)', (isolation) => {
  it('opens in a sandbox of another config, after it was bytes', async () => {
    const host = hostOf({ isolation })
    const first = await BashSandbox.open(config, { host })
    await first.execute(state)
    const snapshot = await first.snapshot()
    expect([snapshot.engine, snapshot.omitted]).toEqual(['bash', []])
    const bytes = await snapshot.toBytes({ gzip: true, key: 'a key of 16 bytes or more' })
    const again = await Snapshot.from(bytes, { key: 'a key of 16 bytes or more' })
    const second = await BashSandbox.open(
      { env: { E: 'other' }, cwd: '/elsewhere', init: 'exit 1' },
      { host, snapshot: again },
    )
    const seen = await show(first)
    expect(seen[1]).toBe(
      "9 a b 2 v /tmp 2 two 0027 e\nf 1 1099511627776\nkept\nkept 4711 981173106\n/data:\na\ntrap -- 'echo t' SIGTERM\non\nalias hi='echo hi'\n",
    )
    expect(await show(second)).toEqual(seen)
    expect(await print(second, 'cat /tmp/log; ls -d /elsewhere')).toBe('init')
    const named = await host.open({ shell: 'bash' }, { id: 'named', snapshot: again })
    expect([await print(named, 'cat link'), host.get('named')]).toEqual(['kept', named])
    expect([first.generation, second.generation]).toEqual([1, 1])
  })

  it('is of the moment between the calls around it', async () => {
    const sandbox = await BashSandbox.open({}, { host: hostOf({ isolation }) })
    const [, first, , second] = await Promise.all([
      sandbox.execute('x=1; echo 1 > f'),
      sandbox.snapshot(),
      sandbox.execute('x=2; echo 2 > f; rm -r /etc'),
      sandbox.snapshot(),
      sandbox.execute('x=3'),
    ])
    for (const [value, snapshot] of [
      ['1', first],
      ['2', second],
      ['1', first],
    ] as const) {
      await sandbox.restore(snapshot)
      expect(await print(sandbox, 'echo $x $(cat f)')).toBe(`${value} ${value}`)
    }
  })

  it('is forked into a sandbox of its own', async () => {
    const host = hostOf({ isolation })
    const called: string[] = []
    const commands: BashConfig['commands'] = {
      tell: {
        description: 'Tells.',
        run: (args) => {
          called.push(args.join())
          return ''
        },
      },
    }
    const first = await host.open({ shell: 'bash', ...config, commands })
    await first.execute(state)
    const fork = await first.fork()
    const seen = await show(first)
    expect(await show(fork)).toEqual(seen)
    await fork.execute('x=fork; echo fork > kept; tell fork')
    await first.execute('tell first')
    expect([await print(first, 'echo "$x $(cat kept)"'), called]).toEqual(['a b kept', ['fork', 'first']])
    await first.close()
    expect(await print(fork, 'echo "$x $(cat kept) $E"')).toBe('fork fork e')
  })
})

describe('a sandbox that a snapshot is put into', () => {
  it('keeps the order of calls, and its generation rises', async () => {
    const sandbox = new BashSandbox(config, { host: hostOf() })
    const [, snapshot] = await Promise.all([sandbox.execute('x=1'), sandbox.snapshot()])
    const [before, , after] = await Promise.all([
      sandbox.execute('x=2; sleep 0.1; echo $x'),
      sandbox.restore(snapshot),
      sandbox.execute('echo $x'),
    ])
    expect([before.stdout, after.stdout, sandbox.generation, sandbox.status]).toEqual([
      '2\n',
      '1\n',
      2,
      'open',
    ])
    expect(await print(sandbox, 'cat /tmp/log')).toBe('init')
  })

  it('has it where it was never opened, and where it opens', async () => {
    const host = hostOf()
    const other = await BashSandbox.open({}, { host })
    await other.execute('x=1')
    const snapshot = await other.snapshot()
    const sandbox = new BashSandbox({}, { host })
    await sandbox.restore(snapshot)
    expect([await print(sandbox, 'echo $x'), sandbox.generation]).toEqual(['1', 1])
    const opens = new BashSandbox({}, { host })
    const [first, , last] = await Promise.all([
      opens.execute('echo ${x-none}'),
      opens.restore(snapshot),
      opens.execute('echo $x'),
    ])
    expect([first.stdout, last.stdout]).toEqual(['none\n', '1\n'])
  })

  it('goes on from it after a loss, and begins as its config says after a reset', async () => {
    const host = hostOf()
    const other = await BashSandbox.open({}, { host })
    await other.execute('x=1; echo f > /tmp/f')
    const snapshot = await other.snapshot()
    const sandbox = await BashSandbox.open({ ...config, onInterrupt: 'reset' }, { host, snapshot })
    await sandbox.execute('y=2')
    const ended = sandbox.execute('while :; do :; done', { timeout: 0.2 })
    await expect(ended).rejects.toMatchObject({ code: 'TIMEOUT' })
    expect(await print(sandbox, 'echo ${x-none} ${y-none} $E; ls /tmp')).toBe('none none e\nlog')
  })

  it('has what it had where the snapshot cannot be put in', async () => {
    const host = hostOf()
    const sandbox = await BashSandbox.open(config, { host })
    await sandbox.execute('x=1; echo f > f; rm /data/a')
    const snapshot = await sandbox.snapshot()
    const { facts, ...others } = contentOf(snapshot)
    const wrong = (entries: typeof facts.entries) => snapshotOf({ ...others, facts: { ...facts, entries } })
    const broken = wrong([...facts.entries, { key: 'function f', value: '{"type":"Word"}' }])
    for (const _ of [1, 2])
      await expect(sandbox.restore(broken)).rejects.toMatchObject({
        code: 'INVALID_SNAPSHOT',
        fault: 'refused',
      })
    expect(await print(sandbox, 'echo $x $(cat f) $(ls /data); cat /tmp/log')).toBe('1 f gone\ninit')
    const opening = new BashSandbox({}, { host, snapshot: broken })
    for (const _ of [1, 2])
      await expect(opening.execute('true')).rejects.toMatchObject({
        code: 'INVALID_SNAPSHOT',
        fault: 'refused',
      })
    await expect(host.open({ shell: 'bash' }, { snapshot: broken })).rejects.toMatchObject({
      fault: 'refused',
    })
    const empty = await BashSandbox.open(config, { host, snapshot: wrong([]) })
    expect(await print(empty, 'echo ${E-none}; ls /tmp')).toBe('none')
  })

  it('refuses files that have no room', async () => {
    const host = hostOf()
    const sandbox = await BashSandbox.open({}, { host })
    await sandbox.writeFile('/tmp/f', new Uint8Array(2 ** 21))
    const snapshot = await sandbox.snapshot()
    const small: BashConfig = { limits: { maxFileSystem: 2 ** 20 } }
    const tooLarge = { code: 'INVALID_SNAPSHOT', fault: 'too-large' }
    await expect(BashSandbox.open(small, { host, snapshot })).rejects.toMatchObject(tooLarge)
    const other = await BashSandbox.open(small, { host })
    await expect(other.restore(snapshot)).rejects.toMatchObject(tooLarge)
    expect(await print(other, 'echo open')).toBe('open')
  })

  it('is closed while it waits', async () => {
    const host = hostOf()
    const sandbox = await BashSandbox.open({}, { host })
    const snapshot = await sandbox.snapshot()
    const sleeps = sandbox.execute('sleep 20')
    const restoring = sandbox.restore(snapshot)
    const later = sandbox.execute('true')
    const ends = Promise.allSettled([sleeps, restoring, later])
    await sandbox.close()
    expect((await ends).map((end) => end.status === 'rejected' && end.reason.code)).toEqual(
      Array.from({ length: 3 }, () => 'CLOSED'),
    )
    await expect(sandbox.restore(snapshot)).rejects.toMatchObject({ code: 'CLOSED' })
    expect(host.stats()).toMatchObject({ open: 0 })
  })
})

it('a snapshot has no files of direct binds, and tells so', async () => {
  const source = await hostDirectory({ 'in.txt': 'in' })
  const host = hostOf()
  const binds = [{ source, destination: '/work' }]
  const sandbox = await BashSandbox.open({ binds }, { host })
  await sandbox.execute("cd /work; echo 'what it wrote' > out.txt; sleep 60 &")
  const snapshot = await sandbox.snapshot()
  expect(snapshot.omitted).toEqual([
    { kind: 'bind', name: '/work' },
    { kind: 'job', name: 'sleep 60' },
  ])
  const bytes = await snapshot.toBytes()
  expect(Buffer.from(bytes).includes('what it wrote')).toBe(false)
  await writeFile(join(source, 'later.txt'), 'later')
  const again = await BashSandbox.open({ binds }, { host, snapshot: await Snapshot.from(bytes) })
  expect(await print(again, 'pwd; cat *')).toBe('/work\ninlaterwhat it wrote')
  expect(await readFile(join(source, 'out.txt'), 'utf8')).toBe('what it wrote\n')
})

it('a snapshot has no secret, and what it may reach is of the config that opens it', async () => {
  const host = hostOf()
  const url = 'https://127.0.0.1:1/'
  const token = 'canary-0123456789'
  const sandbox = await BashSandbox.open({ allowedUrls: [url], credentials: [{ url, token }] }, { host })
  await sandbox.execute('x=1')
  const snapshot = await sandbox.snapshot()
  expect(Buffer.from(await snapshot.toBytes()).includes(token)).toBe(false)
  const other = await BashSandbox.open({}, { host, snapshot })
  expect(await print(other, `echo $x; curl ${url}`)).toBe('1')
  expect(await other.describe()).toMatchObject({ allowedUrls: [], credentials: [] })
})

it('refuses what is no snapshot, and one of another version', async () => {
  const sandbox = await BashSandbox.open({}, { host: hostOf() })
  const old = snapshotOf({ ...contentOf(await sandbox.snapshot()), form: 'just-bash 1.0.0, 1' })
  await expect(sandbox.restore(old)).rejects.toMatchObject({ code: 'INVALID_SNAPSHOT', fault: 'version' })
  // @ts-expect-error: wrong on purpose.
  await expect(sandbox.restore(await old.toBytes())).rejects.toMatchObject({ field: 'snapshot' })
  // @ts-expect-error: wrong on purpose.
  await expect(BashSandbox.open({}, { snapshot: 1 })).rejects.toMatchObject({ field: 'snapshot' })
})

it("can be taken with onLost: 'fail'", async () => {
  const sandbox = await BashSandbox.open({ onLost: 'fail' }, { host: hostOf() })
  await sandbox.execute('x=1')
  expect(await print(await sandbox.fork(), 'echo $x')).toBe('1')
})
