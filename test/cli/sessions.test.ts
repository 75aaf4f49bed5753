import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { BashSandbox } from '../../src/bash/index.ts'
import { directoryStore, Snapshot } from '../../src/index.ts'
import { until } from '../faults/basics.ts'
import { type CliOptions, runCli } from './run-cli.ts'
import { runHere } from './run-here.ts'

const ended = (code: number, stdout = '', stderr = '') => ({ code, signal: null, stdout, stderr })
const complaint = (text: string) => `strands-shell-runtime: ${text}\n`
const lines = (...commands: string[]) => commands.map((command) => `${command}\n`).join('')

let directory: string
let path: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sessions-test-'))
  path = join(directory, 'sessions')
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(directory, { recursive: true })
})
const store = () => directoryStore(path)
const here = (...words: string[]) => runHere([...words, '--sessions', path])

/** A snapshot of a new session that ran a command. */
async function snapshotAfter(command: string): Promise<Snapshot> {
  await using sandbox = new BashSandbox()
  await sandbox.execute(command)
  return await sandbox.snapshot()
}

/** A stored session; nothing where there is none. */
async function bytesOf(name: string): Promise<Buffer> {
  return Buffer.from((await (await store().get(name))?.toBytes()) ?? [])
}

/** What a command prints in the stored session. */
async function printedIn(name: string, command: string): Promise<string> {
  await using sandbox = new BashSandbox({}, { snapshot: await store().get(name) })
  return (await sandbox.execute(command)).stdout
}

describe('repl --session', () => {
  const repl = (options: CliOptions) => runCli(['repl', '--session', 'work', '--sessions', path], options)

  test('goes on with the session of an earlier process, which ended with the code of exit', async () => {
    const first = lines('cd /tmp; x=kept; echo data > file', 'f() { echo "f $x"; }', 'exit 3')
    expect(await repl({ stdin: first })).toEqual(ended(3))
    expect((await stat(path)).mode & 0o777).toBe(0o700)
    expect(await repl({ stdin: lines('pwd; cat file; f', 'rm file') })).toEqual(
      ended(0, '/tmp\ndata\nf kept\n'),
    )
    expect(await printedIn('work', 'ls /tmp')).toBe('')
  })

  test.each([
    ['SIGTERM', { code: 143, signal: null }],
    ['SIGINT', { code: 130, signal: null }],
    ['SIGKILL', { code: null, signal: 'SIGKILL' }],
  ] as const)('has at least all of the commands that ended before %s', async (signal, end) => {
    const stdin = lines('echo before > /tmp/before', 'sleep 300')
    const onStart = async (kill: (signal: NodeJS.Signals) => void) => {
      await until(async () => (await bytesOf('work')).includes('before\n'))
      kill(signal)
    }
    expect(await repl({ stdin, inputUntil: 'never', onStart })).toEqual({ ...end, stdout: '', stderr: '' })
    expect(await printedIn('work', 'cat /tmp/before')).toBe('before\n')
  })

  test('stores its session beside that of another process, which has stored since, and says so', async () => {
    await store().put('work', await snapshotAfter('true'))
    const other = await snapshotAfter('echo other > /tmp/other')
    // Opening the session fences it, and its first command ends once another has stored.
    const onStart = async () => {
      await until(async () => (await store().find('work'))?.fence === 2)
      await store().put('work', other)
      await writeFile(join(directory, 'go'), '')
    }
    const stdin = lines(
      'until [ -e /bound/go ]; do sleep 0.1; done; echo this > /tmp/this',
      'echo end > /tmp/end',
    )
    const end = await runCli(
      ['repl', '--session', 'work', '--sessions', path, '--bind', `${directory}:/bound:direct:ro`],
      { stdin, onStart },
    )
    const since = 'another process has stored'
    expect(end).toEqual(
      ended(
        125,
        '',
        complaint(`${since} the session "work" since. This one is stored as "work-2" from now on.`) +
          complaint(
            `the session "work" was not stored, because ${since} one under this name since. This one is stored as "work-2": strands-shell-runtime repl --session 'work-2'.`,
          ),
      ),
    )
    expect(await printedIn('work', 'ls /tmp')).toBe('other\n')
    expect(await printedIn('work-2', 'ls /tmp')).toBe('end\nthis\n')
  })

  test('keeps the changes of a copy, which it needs again', async () => {
    const bind = ['--bind', `${directory}:/work:copy`]
    const inCopy = (stdin: string) =>
      runCli(['repl', '--session', 'work', '--sessions', path, ...bind], { stdin })
    expect(await inCopy(lines('echo mine > /work/file'))).toEqual(ended(0))
    expect(await inCopy(lines('cat /work/file'))).toEqual(ended(0, 'mine\n'))
    const without = await repl({ stdin: lines('true') })
    expect({ code: without.code, stderr: without.stderr }).toEqual({
      code: 125,
      stderr: expect.stringContaining(
        "changes of a writable copy at '/work', and this sandbox has none there",
      ),
    })
    expect(await readdir(directory)).toEqual(['sessions'])
  })

  test.each([
    [['--session', ''], /^--session: the name must be a string that is not empty/],
    [['--session', 'x'.repeat(300)], /^--session: the name is too long/],
    [[], /^--sessions: say which session with --session NAME\.$/],
  ])('refuses %j', async (words, message) => {
    const end = await here('repl', ...words)
    expect({ code: end.code, stdout: end.stdout }).toEqual({ code: 2, stdout: '' })
    expect(end.stderr.replace(/^strands-shell-runtime: /, '').trimEnd()).toMatch(message)
  })

  test('refuses another shell than that of the session', async () => {
    await store().put('work', await snapshotAfter('true'))
    expect(await here('repl', '--session', 'work', '--shell', 'strands')).toEqual(
      ended(
        2,
        '',
        complaint(
          '--session: "work" is a session of the bash shell, and the strands shell is asked for. Say --shell bash, or take another name.',
        ),
      ),
    )
  })
})

describe('snapshot and restore', () => {
  test('carry a session from one directory to another, signed and packed', async () => {
    await store().put('work', await snapshotAfter('echo data > /tmp/file'))
    const file = join(directory, 'work.tar.gz')
    vi.stubEnv('SNAPSHOT_KEY', 'a secret of at least 16 bytes')
    const key = ['--key-env', 'SNAPSHOT_KEY']
    expect(await here('snapshot', 'work', file, '--gzip', ...key)).toEqual(ended(0))
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(await readdir(directory)).toEqual(['sessions', 'work.tar.gz'])
    expect(await here('restore', 'again', file, ...key)).toEqual(ended(0))
    expect(await printedIn('again', 'cat /tmp/file')).toBe('data\n')

    const unsigned = await here('restore', 'third', file)
    expect(unsigned).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Name its key with --key-env.'),
    })
    await writeFile(file, (await readFile(file)).fill(1, 40, 50))
    expect(await here('restore', 'third', file, ...key)).toMatchObject({ code: 2 })
    expect(await store().find('third')).toBeUndefined()
  })

  test('restore replaces a session with --force alone, and a file is replaced as a whole', async () => {
    await store().put('a', await snapshotAfter('echo a > /tmp/file'))
    await store().put('b', await snapshotAfter('echo b > /tmp/file'))
    const file = join(directory, 'a.tar')
    await writeFile(file, 'old')
    expect(await here('snapshot', 'a', file)).toEqual(ended(0))
    expect(await here('restore', 'b', file)).toEqual(
      ended(2, '', complaint('there is a session "b". Replace it with --force, or take another name.')),
    )
    expect(await printedIn('b', 'cat /tmp/file')).toBe('b\n')
    expect(await here('restore', 'b', file, '--force')).toEqual(ended(0))
    expect(await printedIn('b', 'cat /tmp/file')).toBe('a\n')
  })

  test('- is standard output', async () => {
    await store().put('work', await snapshotAfter('echo data > /tmp/file'))
    const { code, stdout, stderr } = await here('snapshot', 'work', '-')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect((await Snapshot.from(Buffer.from(stdout))).engine).toBe('bash')
  })

  test.each([
    [
      ['snapshot', 'nope', 'f'],
      2,
      /^there is no session "nope" in ".*"\. "strands-shell-runtime sessions" lists/,
    ],
    [['snapshot', 'work', '/nope/file'], 125, /^the snapshot could not be written: ENOENT/],
    [
      ['snapshot', 'work', 'f', '--key-env', 'UNSET_HERE'],
      2,
      /^--key-env: the variable "UNSET_HERE" is not set\.$/,
    ],
    [
      ['snapshot', 'work', 'f', '--key-env', 'SHORT'],
      2,
      /^--key-env SHORT: key must have at least 16 bytes, but has 5\.$/,
    ],
    [['restore', 'new', '/nope/file'], 125, /^the snapshot could not be read from "\/nope\/file": ENOENT/],
    [['restore', 'new', import.meta.filename], 2, /^".*sessions\.test\.ts": The snapshot /],
    [['restore', '', 'f'], 2, /^NAME: the name must be a string that is not empty/],
    [['sessions', '--delete', 'nope'], 2, /^there is no session "nope"/],
    [['sessions', 'more'], 2, /^too many arguments/],
  ])('%j ends with %i', async (words, code, message) => {
    vi.stubEnv('SHORT', 'short')
    await store().put('work', await snapshotAfter('true'))
    const end = await here(...words)
    expect({ code: end.code, stdout: end.stdout }).toEqual({ code, stdout: '' })
    expect(end.stderr.replace(/^strands-shell-runtime: /, '').trimEnd()).toMatch(message)
  })
})

describe('sessions', () => {
  test('lists name, shell, time and size, and deletes', async () => {
    expect(await here('sessions')).toEqual(ended(0))
    const snapshot = await snapshotAfter('echo data > /tmp/file')
    await store().put('b\n', snapshot)
    await store().put('a', snapshot)
    const storedAt = async (name: string) => (await store().find(name))?.storedAt.toISOString()
    const [atA, atB] = [await storedAt('a'), await storedAt('b\n')]
    const { sizeBytes } = snapshot
    expect(await here('sessions')).toEqual(
      ended(0, `a\tbash\t${atA}\t${sizeBytes}\nb\\n\tbash\t${atB}\t${sizeBytes}\n`),
    )
    const { stdout } = await here('sessions', '--json')
    const rest = { shell: 'bash', sizeBytes }
    expect(JSON.parse(stdout)).toEqual({
      sessions: [
        { name: 'a', storedAt: atA, ...rest },
        { name: 'b\n', storedAt: atB, ...rest },
      ],
    })
    expect(await here('sessions', '--delete', 'b\n')).toEqual(ended(0))
    expect((await store().list()).map(({ id }) => id)).toEqual(['a'])
  })

  test('tells which one is damaged, and lists the others', async () => {
    const snapshot = await snapshotAfter('true')
    await store().put('good', snapshot)
    await store().put('bad', snapshot)
    const record = join(path, 'snapshots', 'bad', '1'.padStart(16, '0'))
    await chmod(record, 0o600)
    await writeFile(record, 'damaged')
    const end = await here('sessions')
    expect(end.code).toBe(1)
    expect(end.stdout).toMatch(/^bad\tdamaged\t\S+\t-\ngood\tbash\t/)
    expect(end.stderr).toMatch(/^strands-shell-runtime: The snapshot /)
  })

  test('are in a directory of this user alone where no other is named', async () => {
    vi.stubEnv('XDG_STATE_HOME', directory)
    expect(await runHere(['sessions'])).toEqual(ended(0))
    expect((await stat(join(directory, 'strands-shell-runtime', 'sessions'))).mode & 0o777).toBe(0o700)
  })
})
