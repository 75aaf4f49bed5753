import { createHash } from 'node:crypto'
import {
  appendFile,
  chmod,
  chown,
  type FileHandle,
  lstat,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { readVersionRequirements, type VersionRequirement } from '../../../src/engines/strands/elf.ts'
import { ensureWeakCopy, WeakCopyError } from '../../../src/engines/strands/weak-copy.ts'
import { byTier } from '../../support/tier.ts'
import { installedAddon } from './fixtures/addon.ts'
import { bundleFixture, runChild, runEngineChild } from './fixtures/run-child.ts'
import { syntheticElf } from './fixtures/synthetic-elf.ts'
import { temporaryDirectory } from './fixtures/temporary.ts'

const WEAKENED = 'GLIBC_2.39'
const NAME = /^strands-shell\.[0-9a-f]{64}\.node$/

/** An addon of three chunks, of which the last one is not full: the installed one has many more. */
let small: string
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weak-copy-'))
  small = join(folder, 'small.node')
  const { bytes } = syntheticElf([{ library: 'libc.so.6', version: WEAKENED, symbols: ['weak'] }])
  await writeFile(small, Buffer.concat([bytes, Buffer.alloc(2_500_000, 'x')]))
})
afterAll(() => rm(folder, { recursive: true }))

async function copyInto(...directories: string[]): Promise<string> {
  return await copyOf(small, ...directories)
}

async function copyOf(addon: string, ...directories: string[]): Promise<string> {
  await using source = await open(addon, 'r')
  return await ensureWeakCopy({ source, requirements: await toWeaken(source), directories })
}

async function toWeaken(addon: FileHandle): Promise<VersionRequirement[]> {
  return (await readVersionRequirements(addon)).filter(({ version }) => version === WEAKENED)
}

async function hashOf(path: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(path))
    .digest('hex')
}

/** All files of a cache but what is kept of comparisons, which depends on how long those before took. */
async function copiesIn(cache: string): Promise<string[]> {
  return (await readdir(cache)).filter((name) => !name.endsWith('.checked'))
}

/** The offsets at which two files of the same size differ. */
async function differences(one: string, other: string): Promise<number[]> {
  const [a, b] = [await readFile(one), await readFile(other)]
  expect(a.length).toBe(b.length)
  const found: number[] = []
  for (let at = 0; at < a.length; at += 4096) {
    if (a.subarray(at, at + 4096).equals(b.subarray(at, at + 4096))) continue
    for (let byte = at; byte < Math.min(at + 4096, a.length); byte++)
      if (a[byte] !== b[byte]) found.push(byte)
  }
  return found
}

async function expectGoodCopy(path: string, addon = small): Promise<void> {
  const file = await lstat(path)
  expect({ regular: file.isFile(), mode: file.mode & 0o777 }).toEqual({ regular: true, mode: 0o700 })
  await using source = await open(addon, 'r')
  expect(await differences(path, addon)).toEqual(
    (await toWeaken(source)).map(({ flagsOffset }) => flagsOffset),
  )
  await using handle = await open(path, 'r')
  const weak = (await readVersionRequirements(handle)).filter((requirement) => requirement.weak)
  expect(weak.map(({ version }) => version)).toEqual([WEAKENED])
}

test('a copy differs from the addon in the one flag and is named by the hash of the addon', async () => {
  const directory = join(await temporaryDirectory(), 'deep', 'cache')
  const path = await copyOf(installedAddon, directory)
  await expectGoodCopy(path, installedAddon)
  expect(await differences(path, installedAddon)).toEqual([7272])
  expect(await readdir(directory)).toEqual([expect.stringMatching(NAME)])
  expect((await lstat(directory)).mode & 0o777).toBe(0o700)
})

test('a good copy is used again as it is', async () => {
  const directory = join(await temporaryDirectory(), 'cache')
  const first = await stat(await copyInto(directory), { bigint: true })
  const second = await stat(await copyInto(directory), { bigint: true })
  expect([second.ino, second.mtimeNs]).toEqual([first.ino, first.mtimeNs])
})

const spoilers: Record<string, (path: string) => Promise<void>> = {
  'with a byte changed': async (path) => {
    await using file = await open(path, 'r+')
    await file.write(Buffer.of(0x5a), 0, 1, 2_000_001)
  },
  'without the flag': async (path) => {
    await using file = await open(path, 'r+')
    const [requirement] = await toWeaken(file)
    await file.write(Buffer.of(0), 0, 1, requirement?.flagsOffset)
  },
  'cut short': (path) => truncate(path, 2_000_000),
  'that is empty': (path) => truncate(path, 0),
  'that is too long': (path) => appendFile(path, 'x'),
  'that others can write': (path) => chmod(path, 0o777),
}

for (const [what, spoil] of Object.entries(spoilers)) {
  test(`a copy ${what} is replaced`, async () => {
    const directory = join(await temporaryDirectory(), 'cache')
    const path = await copyInto(directory)
    const { ino } = await stat(path)
    await spoil(path)
    expect(await copyInto(directory)).toBe(path)
    await expectGoodCopy(path)
    expect((await stat(path)).ino).not.toBe(ino)
  })
}

test('a copy that is too long is replaced also where the addon fills whole chunks', async () => {
  const root = await temporaryDirectory()
  await writeFile(join(root, 'addon'), Buffer.alloc(1024 * 1024, 'x'))
  await using source = await open(join(root, 'addon'), 'r')
  const request = { source, requirements: [], directories: [join(root, 'cache')] }
  const path = await ensureWeakCopy(request)
  await appendFile(path, 'x')
  expect(await ensureWeakCopy(request)).toBe(path)
  expect((await stat(path)).size).toBe(1024 * 1024)
})

test('a link in the place of a copy is replaced, and what it leads to is left alone', async () => {
  const directory = join(await temporaryDirectory(), 'cache')
  const elsewhere = join(await temporaryDirectory(), 'elsewhere')
  const path = await copyInto(directory)
  await writeFile(elsewhere, await readFile(path), { mode: 0o600 })
  await rm(path)
  await symlink(elsewhere, path)
  expect(await copyInto(directory)).toBe(path)
  await expectGoodCopy(path)
  expect((await lstat(elsewhere)).mode & 0o777).toBe(0o600)
})

test('what killed processes left half copied is removed once nobody can be writing it', async () => {
  const directory = join(await temporaryDirectory(), 'cache')
  await mkdir(directory, { mode: 0o700 })
  const gone = 4_194_305 // More than any process id.
  const ages: Record<string, number> = {
    '.strands-shell.1-old.tmp': 24 * 3600,
    [`.strands-shell.${gone}-orphan.tmp`]: 15,
    '.strands-shell.1-running.tmp': 15,
    [`.strands-shell.${gone}-elsewhere.tmp`]: 0,
    'notes.tmp': 24 * 3600,
  }
  for (const [name, age] of Object.entries(ages)) {
    const then = new Date(Date.now() - age * 1000)
    await writeFile(join(directory, name), 'x')
    await utimes(join(directory, name), then, then)
  }
  await copyInto(directory)
  const kept = ['.strands-shell.1-running.tmp', `.strands-shell.${gone}-elsewhere.tmp`, 'notes.tmp']
  expect((await readdir(directory)).sort()).toEqual([...kept, expect.stringMatching(NAME)])
})

test('directories that cannot hold a copy are passed over, and named with their reasons if all fail', async () => {
  const root = await temporaryDirectory()
  const file = join(root, 'file')
  await writeFile(file, '')
  const link = join(root, 'link')
  await symlink(await temporaryDirectory(), link)
  const shared = join(root, 'shared')
  await mkdir(shared)
  await chmod(shared, 0o770)
  const below = join(file, 'below')

  const failure = await copyInto(file, link, shared, below).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(WeakCopyError)
  expect(failure).toMatchObject({
    failed: [
      { directory: file, reason: 'is not a directory' },
      { directory: link, reason: 'is a symbolic link, expected a directory' },
      { directory: shared, reason: 'can be written by other users (mode 770), expected mode 700' },
      { directory: below, reason: expect.stringContaining('ENOTDIR') },
    ],
  })
  expect(String(failure)).toContain(`${link}: is a symbolic link`)
  expect((await lstat(shared)).mode & 0o777).toBe(0o770)

  const good = join(root, 'good')
  expect(await copyInto(file, link, shared, below, good)).toMatch(new RegExp(`^${good}/strands-shell`))
})

test.runIf(process.getuid?.() === 0)("another user's directory is refused", async () => {
  const directory = join(await temporaryDirectory(), 'cache')
  await mkdir(directory, { mode: 0o700 })
  await chown(directory, 12_345, 12_345)
  await expect(copyInto(directory)).rejects.toThrow('belongs to user 12345, expected user 0')
})

test('twenty copies at once in one process end in one good copy', async () => {
  const directory = join(await temporaryDirectory(), 'cache')
  const paths = await Promise.all(Array.from({ length: 20 }, () => copyInto(directory)))
  expect(new Set(paths).size).toBe(1)
  await expectGoodCopy(paths[0] ?? '')
  expect(await copiesIn(directory)).toHaveLength(1)
})

test('processes at once end in one good copy that each of them can load', async () => {
  const directory = await temporaryDirectory()
  const cache = join(directory, 'cache')
  const script = await bundleFixture('engine-child', directory)
  const env = { STRANDS_SHELL_RUNTIME_CACHE: cache }
  const reports = await Promise.all(
    Array.from({ length: byTier({ default: 4, full: 10 }) }, () =>
      runEngineChild(script, { commands: ['echo hi'] }, { env }),
    ),
  )
  for (const report of reports) {
    expect(report.results).toEqual([{ status: 0, stdout: 'hi\n', stderr: '' }])
    expect(report.mappedOnceResolved).toBe(false)
  }
  expect(new Set(reports.map(({ path }) => path)).size).toBe(1)
  if (reports[0]?.how === 'weak-copy') expect(await copiesIn(cache)).toHaveLength(1)
})

test('many processes at once, some of them killed half-way, end in one good copy and leave nothing else', async () => {
  const directory = await temporaryDirectory()
  const cache = join(directory, 'cache')
  await mkdir(cache, { mode: 0o700 })
  const script = await bundleFixture('copy-addon', directory)
  const unfinished = async () => (await readdir(cache)).filter((name) => name.endsWith('.tmp'))

  const start = (env: Record<string, string>) => runChild(script, [installedAddon, cache], { env })
  const doomed = Array.from({ length: byTier({ default: 3, full: 7 }) }, () => start({ DIE_HALF_WAY: cache }))
  await Promise.race(doomed)
  const ends = await Promise.all([
    ...doomed,
    ...Array.from({ length: byTier({ default: 5, full: 13 }) }, () => start({})),
  ])

  const path = join(cache, `strands-shell.${await hashOf(installedAddon)}.node`)
  const [killed, done] = [ends.filter(({ signal }) => signal), ends.filter(({ signal }) => !signal)]
  expect(killed.length).toBeGreaterThan(0)
  expect(done.map(({ stdout }) => stdout)).toEqual(done.map(() => `${path}\n`))
  await expectGoodCopy(path, installedAddon)

  const before = new Date(Date.now() - 15_000)
  for (const name of await unfinished()) await utimes(join(cache, name), before, before)
  expect(await copyOf(installedAddon, cache)).toBe(path)
  expect(await copiesIn(cache)).toEqual([expect.stringMatching(NAME)])
})

test('a copy that a weak version was made in loads and runs commands', async () => {
  const directory = await temporaryDirectory()
  const path = await copyOf(installedAddon, join(directory, 'cache'))
  const script = await bundleFixture('load-addon', directory)
  const end = await runChild(script, [path])
  expect(end).toMatchObject({ code: 0, stdout: 'hi\n', stderr: '' })
})

test('a disk that is full leaves nothing behind and says so', async () => {
  const directory = await temporaryDirectory()
  const cache = join(directory, 'cache')
  const script = await bundleFixture('copy-addon', directory)
  // A cap on file sizes stands in for a full disk: a write fails half-way.
  const end = await runChild(script, [installedAddon, cache], { before: 'ulimit -f 8192' })
  expect(end.stdout).toMatch(/^WeakCopyError: .*cache: EFBIG: file too large/)
  expect(await readdir(cache)).toEqual([])
})

test.runIf(process.getuid?.() === 0)('a file system without execution is passed over', async (context) => {
  const directory = await temporaryDirectory()
  const mount = join(directory, 'mount')
  await mkdir(mount)
  const script = await bundleFixture('copy-addon', directory)
  const mounted = await runChild(script, [installedAddon, join(mount, 'cache'), join(directory, 'other')], {
    before: `exec unshare -m sh -c 'mount -t tmpfs -o noexec,size=40m none ${mount} && exec "$0" "$@"' "$0" "$@"`,
  })
  if (/unshare|mount/.test(mounted.stderr)) context.skip('mounting is not permitted here')
  expect(mounted.stdout).toMatch(/other\/strands-shell\.[0-9a-f]{64}\.node\n$/)
})

test('the event loop turns all the while', async () => {
  const directory = join(await temporaryDirectory(), 'cache')
  let turns = 0
  let timer = setImmediate(function turn() {
    turns += 1
    timer = setImmediate(turn)
  })
  onTestFinished(() => clearImmediate(timer))
  await copyOf(installedAddon, directory)
  const whileMade = turns
  await copyOf(installedAddon, directory)
  expect(whileMade).toBeGreaterThan(30)
  expect(turns - whileMade).toBeGreaterThan(30)
})
