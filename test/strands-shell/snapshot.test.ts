import { rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  ShellHost,
  type ShellHostOptions,
  Snapshot,
  type StrandsShellConfig,
  StrandsShellSandbox,
} from '../../src/index.ts'
import { contentOf, snapshotOf } from '../../src/snapshot/snapshot.ts'
import { suiteHost } from '../faults/helpers.ts'
import { tierLevels } from '../support/describe-engines.ts'
import { hostDirectory } from './support/host-tree.ts'

const state = `x="a b
y=1"; readonly r=5; alias hi='echo "it is"'; f() { echo "f $1 \${x%%
*}"; }; set -u; cd /tmp; umask 027; set -- one "" "t w"
echo kept > kept; ln -s kept link; chmod 4711 kept; mkdir -p d/e; chmod 500 d; printf a > 'na
me'; rm /data/gone; (exit 9)`
const look = `echo "$? $x|$r $PWD $# [$2] $3 $(umask) $E"; f 1; hi; cat link; ls -lA | tail -n +2 | cut -c1-11,35-; ls -a /data /workspace; cat /one.txt; set; : $nope; echo alive`
const config: StrandsShellConfig = {
  files: { '/data/a': 'from the config', '/data/gone': '', '/one.txt': 'one\n' },
  env: { E: 'e' },
  init: 'echo init >> /tmp/log',
}
const times = { kind: 'times', name: '/' }

const suite = suiteHost()

function hostOf(options: ShellHostOptions = {}): ShellHost {
  const host = new ShellHost({ isolation: 'shared', ...options })
  onTestFinished(() => host.close())
  return host
}

const show = async (sandbox: StrandsShellSandbox, command = look) => {
  const { exitCode, stdout, stderr } = await sandbox.execute(command)
  return [exitCode, stdout, stderr]
}
const print = async (sandbox: StrandsShellSandbox, command: string) =>
  (await sandbox.execute(command)).stdout.trim()

/** What a session has that was made by commands, and the functions that its snapshot does not hold. */
async function functionsAfter(commands: readonly string[], asked: string) {
  await using first = await suite.open()
  for (const command of commands) await first.execute(command)
  const snapshot = await first.snapshot()
  await using second = await suite.open({}, { snapshot: await Snapshot.from(await snapshot.toBytes()) })
  return {
    first: await show(first, asked),
    second: await show(second, asked),
    omitted: snapshot.omitted.filter(({ kind }) => kind === 'function').map(({ name }) => name),
  }
}

describe.each(tierLevels)('a snapshot of Strands Shell (%s)', (isolation) => {
  it('opens in a sandbox of another config, after it was bytes', async () => {
    const host = hostOf({ isolation })
    const first = await StrandsShellSandbox.open(config, { host })
    await first.execute(state)
    const snapshot = await first.snapshot()
    expect([snapshot.engine, snapshot.omitted]).toEqual(['strands', [times]])
    const bytes = await snapshot.toBytes({ gzip: true, key: 'a key of 16 bytes or more' })
    const again = await Snapshot.from(bytes, { key: 'a key of 16 bytes or more' })
    const second = await StrandsShellSandbox.open(
      { env: { E: 'other' }, cwd: '/elsewhere', init: 'exit 1' },
      { host, snapshot: again },
    )
    const seen = await show(first)
    expect(seen[1]).toContain('9 a b\ny=1|5 /tmp 3 [] t w 0027 e\nf 1 a b\nit is\nkept\ndr-x------')
    expect(await show(second)).toEqual(seen)
    expect(await show(second, 'r=6')).toEqual([2, '', expect.stringContaining('readonly')])
    expect(await print(second, 'cat /tmp/log; [ -e /elsewhere ] || echo none')).toBe('init\nnone')
    expect([first.generation, second.generation]).toEqual([1, 1])
  })

  it('is of the moment between the calls around it', async () => {
    const sandbox = await StrandsShellSandbox.open({}, { host: hostOf({ isolation }) })
    const [, first, , second] = await Promise.all([
      sandbox.execute('x=1; echo 1 > f; f() { echo f1; }'),
      sandbox.snapshot(),
      sandbox.execute('x=2; rm f; echo 2 > g; f() { echo f2; }'),
      sandbox.snapshot(),
      sandbox.execute('x=3'),
    ])
    for (const [value, snapshot] of [
      ['1 f f1', first],
      ['2 g f2', second],
      ['1 f f1', first],
    ] as const) {
      await sandbox.restore(snapshot)
      expect(await print(sandbox, 'echo $x $(ls) $(f)')).toBe(value)
    }
    expect(sandbox.generation).toBe(4)
  })

  it('is forked into a sandbox of its own', async () => {
    const first = await StrandsShellSandbox.open(config, { host: hostOf({ isolation }) })
    await first.execute(state)
    const fork = await first.fork()
    const seen = await show(first)
    expect(await show(fork)).toEqual(seen)
    expect(await print(fork, 'echo $nope || echo next; echo after')).toBe('')
    await fork.execute('set +u; x=fork; echo fork > kept')
    expect(await print(first, 'cat /tmp/kept')).toBe('kept')
    await first.close()
    expect(await print(await fork.fork(), 'echo "$x $(cat kept)"')).toBe('fork fork')
  })
})

describe('functions in a snapshot of Strands Shell', () => {
  it('are those whose definition was carried out', async () => {
    const { first, second, omitted } = await functionsAfter(
      [
        'x=5; if [ $x -eq 5 ]; then g() { echo "five $1"; }; else g() { echo other; }; fi',
        'last() { echo first; }',
        'last() { echo second; }; exit 3; last() { echo never; }',
        '(hidden() { :; }); gone() { :; }; unset -f gone',
        'outer() { inner() { echo "inner $1"; }; }; outer; sub() ( cd /; pwd ); my-f() { echo dash; }',
        "function here { cat <<E\nhere $1\nE\n[[ $1 == b* ]] && printf '%s\\n' c a b | sort -r | head -2; }",
      ],
      'g 1; last; inner 2; sub; my-f; here bb; type hidden gone; outer; inner 3',
    )
    expect(second).toEqual(first)
    expect(first[1]).toContain('five 1\nsecond\ninner 2\n/\ndash\nhere bb\nc\nb\n')
    expect(omitted).toEqual([])
  })

  it('are those of literal text that eval carried out', async () => {
    const { first, second, omitted } = await functionsAfter(
      ['f() { echo own; }', 'eval "f() { echo eval; }"', 'command eval "g() { echo command; }"'],
      'f; g',
    )
    expect([first[1], second, omitted]).toEqual(['eval\ncommand\n', first, []])
  })

  it.each([
    ['eval of what a variable has', 'x="f() { echo eval; }"; eval "$x"'],
    ['a name that a variable has', 'x=eval; $x "f() { echo eval; }"'],
    ['command eval of what a variable has', 'x="f() { echo eval; }"; command eval "$x"'],
    ['a script of a computed name', 'echo "f() { echo eval; }" > s; for s in ./s; do . "$s"; done'],
    ['an alias', "alias d='f() { echo eval; }'"],
    ['an alias of its name', 'alias f=h'],
    ['a trap', "trap 'f() { echo eval; }' EXIT"],
  ])('are left out and named where %s may have defined them', async (_, command) => {
    const { first, second, omitted } = await functionsAfter(['f() { echo own; }', command], 'type -t f')
    expect([first[0], omitted]).toEqual([0, ['*', 'f']])
    expect(second[1]).not.toContain('function')
  })

  it('are left out where an alias may be in them', async () => {
    const { second, omitted } = await functionsAfter(
      [
        'before() { echo early; }',
        "alias early='echo'",
        'after() { early late; }; unrelated() { echo no; }',
        'unalias early',
      ],
      'before; unrelated; after',
    )
    expect([second[0], second[1], omitted]).toEqual([127, 'early\nno\n', ['after']])
  })

  it('of a script that was sourced are held as it was then', async () => {
    const { first, second, omitted } = await functionsAfter(
      ['echo "f() { echo one; }" > s; . ./s', 'echo "f() { echo two; }" > s'],
      'f',
    )
    expect([first, second, omitted]).toEqual([[0, 'one\n', ''], [0, 'one\n', ''], []])
  })

  it('read and set what later commands are told', async () => {
    const { first, second } = await functionsAfter(
      ['set -o pipefail', 'r() { read -r v; }; n() { n=1; }; e() { exit 4; }; p() { false | true; }'],
      'echo in | r; for i in 1; do n; done; echo "$n"; p || echo piped; e; echo no',
    )
    expect(second).toEqual(first)
    expect(first[1]).toBe('1\npiped\n')
  })
})

describe('a sandbox of Strands Shell that a snapshot is put into', () => {
  it('has it where it was never opened, and begins as its config says after a loss', async () => {
    const host = hostOf({ isolation: 'worker' })
    const other = await StrandsShellSandbox.open({}, { host })
    await other.execute('x=1; echo f > /tmp/f')
    const snapshot = await other.snapshot()
    const sandbox = new StrandsShellSandbox({ ...config, onInterrupt: 'reset' }, { host })
    await sandbox.restore(snapshot)
    expect([await print(sandbox, 'echo $x $(cat /tmp/f) $E.'), sandbox.generation]).toEqual(['1 f .', 1])
    await expect(sandbox.execute('sleep 20', { timeout: 0.2 })).rejects.toMatchObject({ code: 'TIMEOUT' })
    expect(await print(sandbox, 'echo .$x $E; ls /tmp')).toBe('. e\nlog')
  })

  it('goes on after a loss where each call hands over what it has changed', async () => {
    const source = await hostDirectory({ h: 'host' })
    const files = { ...config.files, '/in': { directory: source } }
    const going = { ...config, files, checkpoint: 'call', onLost: 'restore' } as const
    const sandbox = await StrandsShellSandbox.open(going, { host: hostOf({ isolation: 'worker' }) })
    await sandbox.execute('x=1; echo f > f; rm /data/gone; f() { echo of f; }')
    await sandbox.execute('x=2; echo g > g; rm f')
    await rm(source, { recursive: true })
    const lost = sandbox.execute('find /tmp -maxdepth 0 -exec [ a = ] \\;')
    await expect(lost).rejects.toMatchObject({ code: 'WORKER_LOST' })
    expect(await print(sandbox, 'echo $x $E $(ls) $(ls /data); f; cat /tmp/log /in/h')).toBe(
      '2 e g a\nof f\ninit\nhost',
    )
    expect(sandbox.generation).toBe(2)
  })

  it('has what it had where parts of the snapshot are not of its kind', async () => {
    const host = hostOf()
    const sandbox = await StrandsShellSandbox.open(config, { host })
    await sandbox.execute('x=1; echo f > f; f() { echo f; }')
    const { facts, ...others } = contentOf(await sandbox.snapshot())
    const text = facts.entries.find(({ key }) => key === 'function f')?.value ?? ''
    for (const [key, value] of [
      ['function f', text.replace('f() ', 'g() ')],
      ['function f', text.replace('"text":"', '"text":"exit 1; ')],
      ['function f', '{}'],
      ['script 0', '{}'],
      ['script 0', '{"definitions":"","files":[["/dev/.run/0","x"]],"names":[],"defined":[]}'],
      ['script 0', '{"definitions":"","files":[["/tmp/x","x"]],"names":[],"defined":[]}'],
      ['variable a b', '"1"'],
      ['variable __ssr_words', '"1"'],
      ['variable a', '"\\u0000"'],
      ['variable a', '1'],
      ['value umask', '"0; touch /tmp/no"'],
      ['value options', '"e; x"'],
      ['value cwd', '"tmp"'],
      ['value status', '"1"'],
      ['value pipefail', 'true'],
      ['alias =', '"1"'],
      ['other', '1'],
      ['skipped', '[1]'],
      ['file /bin/cat', '{"type":"symlink","mode":511,"modified":0,"target":"x"}'],
      ['file /dev/.run/x', '{"type":"directory","mode":511,"modified":0}'],
    ] as const) {
      const entries = [...facts.entries.filter((entry) => entry.key !== key), { key, value }]
      const broken = snapshotOf({ ...others, facts: { ...facts, entries } })
      await expect(sandbox.restore(broken), `${key} ${value}`).rejects.toMatchObject({
        code: 'INVALID_SNAPSHOT',
        fault: 'refused',
      })
    }
    expect(await print(sandbox, 'echo $x $(cat f) $(f) $(ls /data); ls /tmp')).toBe('1 f f a gone\nlog')
  })
})

it('a snapshot of Strands Shell has no files of binds, and tells so', async () => {
  const source = await hostDirectory({ 'in.txt': 'in' })
  const host = hostOf()
  const binds = [
    { source, destination: '/work' },
    { source, destination: '/data/ro', readonly: true },
  ]
  const sandbox = await StrandsShellSandbox.open({ binds, files: { '/data/own': 'own' } }, { host })
  await sandbox.execute("cd /work; echo 'what it wrote' > out.txt")
  const snapshot = await sandbox.snapshot()
  expect(snapshot.omitted).toEqual([
    { kind: 'bind', name: '/work' },
    { kind: 'bind', name: '/data/ro' },
    times,
  ])
  const bytes = await snapshot.toBytes()
  expect(Buffer.from(bytes).includes('what it wrote')).toBe(false)
  await writeFile(join(source, 'later.txt'), 'later')
  const again = await StrandsShellSandbox.open({ binds }, { host, snapshot: await Snapshot.from(bytes) })
  expect(await print(again, 'pwd; cat *.txt /data/own')).toBe('/work\ninlaterwhat it wrote\nown')
})

it('a snapshot of Strands Shell has what was left out of host directories', async () => {
  const source = await hostDirectory({ in: 'in' })
  await symlink('/etc/passwd', join(source, 'out'))
  const host = hostOf()
  const first = await host.open({ files: { '/data': { directory: source } } })
  const { skipped } = await first.describe()
  expect(skipped).toEqual([{ bind: '/data', path: '/data/out', reason: 'link that leads out' }])
  const second = await host.open({}, { snapshot: await first.snapshot() })
  expect([(await second.describe()).skipped, await print(second, 'cat /data/*')]).toEqual([skipped, 'in'])
  expect((await (await second.fork()).describe()).skipped).toEqual(skipped)
})

it('there are none of the other shell without filesOnly', async () => {
  const host = hostOf()
  const snapshot = await (await StrandsShellSandbox.open({}, { host })).snapshot()
  await expect(host.open({ shell: 'bash' }, { snapshot })).rejects.toThrow('filesOnly: true')
})

it('a snapshot of Strands Shell has no secret', async () => {
  const url = 'https://127.0.0.1:1/'
  const token = 'canary-0123456789'
  const sandbox = await StrandsShellSandbox.open(
    { allowedUrls: [url], credentials: [{ url, token }] },
    { host: hostOf() },
  )
  await sandbox.execute('x=1')
  expect(Buffer.from(await (await sandbox.snapshot()).toBytes()).includes(token)).toBe(false)
})

describe('the files of a snapshot', () => {
  const files =
    'mkdir -p /data/d; echo f > /data/d/f; chmod 640 /data/d/f; ln -s f /data/d/l; echo t > /tmp/t; x=1; cd /data'
  const seen = `stat -c '%a %n' /data/d/f; cat /data/d/l /tmp/t /made; echo "\${x-none} $E $PWD"`
  const other = {
    env: { E: 'e' },
    files: { '/own': '' },
    init: 'cat /data/d/f > /tmp/made',
    writable: ['/data'],
  }

  it.each([
    ['strands', 'strands'],
    ['strands', 'bash'],
    ['bash', 'strands'],
    ['bash', 'bash'],
  ] as const)('of %s are taken over by %s, which begins as its config says', async (from, into) => {
    const host = hostOf()
    const first = await host.open({ shell: from, writable: ['/data'], files: { '/single': 's' } })
    await first.execute(files)
    const snapshot = await first.snapshot()
    const second = await host.open({ shell: into, ...other }, { snapshot, filesOnly: true })
    const { stdout } = await second.execute(seen.replace('/made', '/tmp/made'))
    expect(stdout).toBe(`640 /data/d/f\nf\nt\nf\nnone e ${into === 'bash' ? '/home/user' : '/home/lash'}\n`)
    const { stdout: places } = await second.execute('ls /own; cat /single')
    expect(places).toBe('s')
    await second.restore(into === 'bash' && from === 'bash' ? snapshot : await second.snapshot())
    expect((await second.execute('cat /data/d/l')).stdout).toBe('f\n')
  })

  it('are refused with the path that the sandbox does not take', async () => {
    const host = hostOf()
    const bash = await host.open({ shell: 'bash' })
    await bash.execute('ln -s /tmp /link')
    const snapshot = await bash.snapshot()
    await expect(host.open({}, { snapshot, filesOnly: true })).rejects.toThrow("'/link'")
    const source = await hostDirectory({})
    await bash.execute('rm /link; mkdir /work; echo f > /work/f')
    const bound = { binds: [{ source, destination: '/work' }] }
    for (const shell of ['strands', 'bash'] as const)
      await expect(
        host.open({ shell, ...bound }, { snapshot: await bash.snapshot(), filesOnly: true }),
      ).rejects.toThrow("'/work/f'")
  })

  it('need a snapshot', () => {
    expect(() => new StrandsShellSandbox({}, { filesOnly: true })).toThrow('without a snapshot')
    // @ts-expect-error: wrong on purpose.
    expect(() => new StrandsShellSandbox({}, { filesOnly: 1 })).toThrow('filesOnly must be')
  })
})
