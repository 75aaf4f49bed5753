import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmod,
  chown,
  copyFile,
  lstat,
  mkdir,
  readdir,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { findEngine } from '../../../src/engines/strands/resolve-engine.ts'
import { installedAddon } from './fixtures/addon.ts'
import { machineWithGlibc } from './fixtures/machine.ts'
import { bundleFixture, runChild } from './fixtures/run-child.ts'
import { temporaryDirectory } from './fixtures/temporary.ts'

const OTHER = 65_534
const ADDON = '@strands-agents/shell-linux-x64-gnu'

/** A directory that every user of the machine can reach. */
async function reachableDirectory(): Promise<string> {
  const directory = await realpath(await temporaryDirectory())
  await chmod(directory, 0o755)
  return directory
}

/** A directory of somebody else, or one that everybody may write. */
async function theirs(path: string, mode = 0o755): Promise<string> {
  await mkdir(path)
  await chmod(path, mode)
  await chown(path, OTHER, OTHER)
  return path
}

async function sticky(path: string): Promise<string> {
  await mkdir(path)
  await chmod(path, 0o1777)
  return path
}

/** Finds the engine of a machine whose glibc asks for a copy; gives the copy's path, or the error's message. */
async function findIn(env: NodeJS.ProcessEnv, temporary: string): Promise<string> {
  const facts = await machineWithGlibc(36)
  vi.stubEnv('TMPDIR', temporary)
  const found = findEngine({ bases: [import.meta.url], env, facts })
  try {
    return (await found).source.path
  } catch (error) {
    return String(error)
  } finally {
    vi.unstubAllEnvs()
  }
}

async function expectOwn(path: string): Promise<void> {
  const file = await lstat(path)
  expect({ regular: file.isFile(), uid: file.uid, mode: file.mode & 0o777 }).toEqual({
    regular: true,
    uid: 0,
    mode: 0o700,
  })
}

describe.runIf(process.getuid?.() === 0)('another local user', () => {
  test('who took the name in the temporary directory keeps the engine away, and is not believed', async () => {
    const root = await reachableDirectory()
    const elsewhere = await theirs(join(root, 'elsewhere'))
    const takers: readonly (readonly [reason: string, take: (path: string) => Promise<unknown>])[] = [
      ['belongs to user 65534, expected user 0', (path) => theirs(path, 0o700)],
      ['belongs to user 65534, expected user 0', (path) => theirs(path, 0o777)],
      ['is a symbolic link', (path) => symlink(elsewhere, path)],
      ['is not a directory', (path) => writeFile(path, '')],
    ]
    for (const [index, [reason, take]] of takers.entries()) {
      const temporary = await sticky(join(root, `tmp-${index}`))
      await take(join(temporary, 'strands-shell-runtime-0'))
      expect(await findIn({ HOME: 'none' }, temporary)).toContain(reason)
    }
    expect(await readdir(elsewhere)).toEqual([])
  })

  test('to whom the home, the cache and the temporary directory belong gets nothing written there', async () => {
    const root = await reachableDirectory()
    const [home, xdg, temporary] = [
      await theirs(join(root, 'home')),
      await theirs(join(root, 'xdg'), 0o777),
      await theirs(join(root, 'tmp'), 0o1777),
    ]
    const failure = await findIn({ HOME: home, XDG_CACHE_HOME: xdg }, temporary)
    for (const place of [home, xdg, temporary]) {
      expect(failure).toContain(`leads through ${place}, which belongs to user 65534`)
      expect(await readdir(place)).toEqual([])
    }
    const path = await findIn({ HOME: home, XDG_CACHE_HOME: xdg }, await sticky(join(root, 'good')))
    expect(dirname(path)).toBe(join(root, 'good', 'strands-shell-runtime-0'))
    await expectOwn(path)
  })

  test('who can write a directory on the way could exchange the copy later, so it is not kept there', async () => {
    const root = await reachableDirectory()
    const shared = join(root, 'shared')
    await mkdir(join(shared, 'ours', 'cache'), { recursive: true, mode: 0o700 })
    await chmod(shared, 0o777)
    await symlink(join(shared, 'ours'), join(root, 'link'))
    for (const cache of [join(shared, 'ours', 'cache'), join(root, 'link', 'cache'), join(shared, 'new')]) {
      const failure = await findIn({ STRANDS_SHELL_RUNTIME_CACHE: cache }, root)
      expect(failure).toContain(`leads through ${shared}, which other users can write (mode 777)`)
    }
    expect(await readdir(shared)).toEqual(['ours'])
  })

  test('who exchanges whatever may be exchanged, all the time, never gets a file of theirs loaded', async () => {
    const root = await reachableDirectory()
    const temporary = await sticky(join(root, 'tmp'))
    const attacker = await attack(temporary, 'strands-shell-runtime-0')
    for (let round = 0; round < 10; round++) {
      const outcome = await findIn({ HOME: 'none' }, temporary)
      if (!outcome.startsWith('/')) {
        expect(outcome).toContain('EngineUnavailableError: No Strands Shell engine')
        continue
      }
      await expectOwn(outcome)
      await rm(dirname(outcome), { recursive: true })
    }
    attacker.kill('SIGKILL')
  })

  test('who left a package below the working directory gets nothing of it loaded', async () => {
    const root = await reachableDirectory()
    const script = await bundleFixture('resolve-child', root)
    const temporary = await sticky(join(root, 'tmp'))
    const work = join(temporary, 'work')
    await mkdir(work)
    const modules = await theirs(join(temporary, 'node_modules'))
    const planted = join(modules, ADDON)
    await mkdir(planted, { recursive: true })
    await writeFile(join(planted, 'package.json'), JSON.stringify({ name: ADDON, main: 'addon.node' }))
    await copyFile(installedAddon, join(planted, 'addon.node'))

    for (const cwd of [temporary, work]) {
      const end = await runChild(script, [], { cwd, env: { HOME: root } })
      expect({ cwd, found: JSON.parse(end.stdout) }).toEqual({ cwd, found: ['ENGINE_UNAVAILABLE'] })
    }

    const search = { bases: [`${work}/`], env: { HOME: root }, facts: await machineWithGlibc(39) }
    expect(await findEngine(search)).toMatchObject({ how: 'addon' })
    await expect(findEngine({ ...search, unchosen: search.bases })).rejects.toThrow(
      `it was found from the working directory only, and its path leads through ${modules}, which belongs to user 65534. ` +
        `Install it beside the application: npm install ${ADDON}`,
    )
  })
})

test.runIf(process.getuid?.() === 0).for(['bwrap --dev-bind / /', 'unshare -r'])(
  'in a user namespace (%s), where directories of root show the id of nobody, a copy is kept',
  async (enter, { skip }) => {
    const root = await reachableDirectory()
    const script = await bundleFixture('copy-addon', root)
    const home = join(root, 'home')
    await mkdir(home)
    await chown(home, 12_345, 12_345)
    await copyFile(installedAddon, join(root, 'addon.node'))
    const end = await runChild(script, [join(root, 'addon.node'), join(home, 'cache')], {
      before: `cd / && exec setpriv --reuid 12345 --regid 12345 --clear-groups ${enter} "$0" "$@"`,
    })
    if (/bwrap|setpriv|unshare/.test(end.stderr)) skip('user namespaces are not permitted here')
    expect(end).toMatchObject({
      stdout: expect.stringMatching(new RegExp(`^${home}/cache/strands-shell`)),
      code: 0,
    })
  },
)

/** The other user takes a name in a directory again and again, as a directory and as a link to one of theirs. */
async function attack(directory: string, name: string): Promise<ChildProcess> {
  const code = `
    const { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } = require('node:fs')
    const attempt = (act) => { try { act() } catch {} }
    const target = process.argv[1]
    const own = target + '-theirs'
    attempt(() => mkdirSync(own, { mode: 0o777 }))
    process.stdout.write('ready')
    for (;;) {
      attempt(() => mkdirSync(target, { mode: 0o777 }))
      attempt(() => writeFileSync(target + '/planted.node', 'x'))
      attempt(() => renameSync(target, target + '-was'))
      attempt(() => symlinkSync(own, target))
      attempt(() => rmSync(target, { recursive: true }))
      attempt(() => rmSync(target + '-was', { recursive: true }))
    }`
  const options = { uid: OTHER, gid: OTHER, cwd: '/' }
  const child = spawn(process.execPath, ['-e', code, join(directory, name)], options)
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  return child
}
