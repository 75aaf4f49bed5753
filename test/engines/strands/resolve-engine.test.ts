import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { PlatformFacts } from '../../../src/engines/strands/platform.ts'
import { findEngine, resolveEngine } from '../../../src/engines/strands/resolve-engine.ts'
import { EngineUnavailableError } from '../../../src/sandbox/errors.ts'
import { installedAddon } from './fixtures/addon.ts'
import { machineWithGlibc } from './fixtures/machine.ts'
import { bundleFixture, runChild } from './fixtures/run-child.ts'
import { type SyntheticRequirement, syntheticElf } from './fixtures/synthetic-elf.ts'
import { temporaryDirectory } from './fixtures/temporary.ts'

const WRAPPER = '@strands-agents/shell'
const ADDON = '@strands-agents/shell-linux-x64-gnu'
const ADDON_FILE = 'strands-shell.linux-x64-gnu.node'
const unloadable = 'throw new Error("loaded on the host side")'

async function install(root: string, name: string, manifest: object, files: Record<string, string | Buffer>) {
  const directory = join(root, 'node_modules', name)
  await mkdir(directory, { recursive: true })
  await writeFile(join(directory, 'package.json'), JSON.stringify({ name, ...manifest }))
  for (const [file, content] of Object.entries(files)) await writeFile(join(directory, file), content)
  return directory
}

const installWrapper = (root: string) =>
  install(root, WRAPPER, { version: '0.3.9', main: 'index.js' }, { 'index.js': unloadable })

async function installRealAddon(root: string): Promise<void> {
  await mkdir(join(root, 'node_modules', '@strands-agents'), { recursive: true })
  await symlink(dirname(installedAddon), join(root, 'node_modules', ADDON))
}

const installAddon = (root: string, requirements: readonly SyntheticRequirement[]) =>
  install(
    root,
    ADDON,
    { version: '0.3.3', main: ADDON_FILE },
    { [ADDON_FILE]: syntheticElf(requirements).bytes },
  )

async function search(roots: readonly string[], facts: PlatformFacts, cache?: string) {
  const env = { STRANDS_SHELL_RUNTIME_CACHE: cache ?? join(await temporaryDirectory(), 'cache') }
  return findEngine({ bases: roots.map((root) => join(root, 'app.js')), env, facts })
}

async function failureOf(promise: Promise<unknown>): Promise<EngineUnavailableError> {
  const failure = await promise.catch((error: unknown) => error)
  if (!(failure instanceof EngineUnavailableError))
    throw new Error(`expected EngineUnavailableError, got ${failure}`)
  expect(failure.code).toBe('ENGINE_UNAVAILABLE')
  return failure
}

test('the wrapper package is preferred to the addon, and not loaded', async () => {
  const root = await temporaryDirectory()
  const directory = await installWrapper(root)
  await installAddon(root, [])
  expect(await search([root], await machineWithGlibc(39))).toEqual({
    source: { engine: 'strands', kind: 'package', path: join(directory, 'index.js') },
    version: '0.3.9',
    packageName: WRAPPER,
    how: 'package',
    originalPath: join(directory, 'index.js'),
  })
})

test('a wrapper package that can only be imported is found', async () => {
  const root = await temporaryDirectory()
  const exports = {
    '.': { types: './index.d.ts', import: { types: './index.d.ts', default: './index.mjs' } },
  }
  const directory = await install(root, WRAPPER, { version: '1.0.0', exports }, { 'index.mjs': unloadable })
  const engine = await search([root], await machineWithGlibc(39))
  expect(engine).toMatchObject({
    how: 'package',
    version: '1.0.0',
    source: { path: join(directory, 'index.mjs') },
  })
})

test('a wrapper is used on a platform that the addon has no build for', async () => {
  const root = await temporaryDirectory()
  await installWrapper(root)
  const facts = { ...(await machineWithGlibc(39)), platform: 'darwin', arch: 'arm64', libc: 'none' } as const
  expect(await search([root], facts)).toMatchObject({ how: 'package', packageName: WRAPPER })
})

test('the addon is used as it is where glibc is new enough', async () => {
  const root = await temporaryDirectory()
  await installRealAddon(root)
  expect(await search([root], await machineWithGlibc(39))).toEqual({
    source: { engine: 'strands', kind: 'addon', path: installedAddon },
    version: '0.3.3',
    packageName: ADDON,
    how: 'addon',
    originalPath: installedAddon,
  })
})

test.each([34, 35, 36, 38])('on glibc 2.%d a weak copy of the addon is used', async (minor) => {
  const root = await temporaryDirectory()
  await installRealAddon(root)
  const cache = join(root, 'cache')
  const engine = await search([root], await machineWithGlibc(minor), cache)
  expect(engine).toMatchObject({
    how: 'weak-copy',
    packageName: ADDON,
    version: '0.3.3',
    originalPath: installedAddon,
  })
  expect(engine.source).toEqual({
    engine: 'strands',
    kind: 'addon',
    path: expect.stringMatching(/strands-shell\.[0-9a-f]{64}\.node$/),
  })
  expect(dirname(engine.source.path)).toBe(cache)
})

test('a weak copy is used in place of a wrapper whose addon asks for a newer glibc', async () => {
  const root = await temporaryDirectory()
  await installWrapper(root)
  await installAddon(root, [{ library: 'libc.so.6', version: 'GLIBC_2.39', symbols: ['weak'] }])
  const facts = await machineWithGlibc(36)
  expect(await search([root], facts)).toMatchObject({
    how: 'weak-copy',
    packageName: ADDON,
    source: { kind: 'addon' },
  })
})

test('the addon inside a wrapper package counts as its own', async () => {
  const root = await temporaryDirectory()
  const directory = await installWrapper(root)
  const needs = [{ library: 'libc.so.6', version: 'GLIBC_2.39', symbols: ['weak'] }] as const
  await writeFile(join(directory, ADDON_FILE), syntheticElf(needs).bytes)
  const engine = await search([root], await machineWithGlibc(36))
  expect(engine).toMatchObject({
    how: 'weak-copy',
    packageName: WRAPPER,
    originalPath: join(directory, ADDON_FILE),
  })
})

test('the first place from which any engine is found wins', async () => {
  const [empty, first, second] = [
    await temporaryDirectory(),
    await temporaryDirectory(),
    await temporaryDirectory(),
  ]
  await installAddon(first, [])
  await installWrapper(second)
  const facts = await machineWithGlibc(39)
  expect(await search([empty, first, second], facts)).toMatchObject({ how: 'addon' })
  expect(await search([empty, second, first], facts)).toMatchObject({ how: 'package' })
})

test('a version that the code cannot do without is an error that names everything', async () => {
  const root = await temporaryDirectory()
  const directory = await installAddon(root, [
    { library: 'libc.so.6', version: 'GLIBC_2.39', symbols: ['weak'] },
    { library: 'libc.so.6', version: 'GLIBC_2.38', symbols: ['weak', 'global'] },
  ])
  const failure = await failureOf(search([root], await machineWithGlibc(36)))
  expect(failure.message).toBe(
    `No Strands Shell engine for this machine (linux x64, glibc 2.36): ${join(directory, ADDON_FILE)}: ` +
      'it needs GLIBC_2.38 of libc.so.6, which this machine lacks. Use a system image with a newer glibc.',
  )
})

test('the real addon on glibc 2.31 is an error', async () => {
  const root = await temporaryDirectory()
  await installRealAddon(root)
  const failure = await failureOf(search([root], await machineWithGlibc(31)))
  expect(failure.message).toMatch(/glibc 2\.31\).*it needs .*GLIBC_2\.34 of libc\.so\.6.* newer glibc/)
})

test('where no copy can be kept the error names each directory, its reason and the remedy', async () => {
  const root = await temporaryDirectory()
  await installRealAddon(root)
  const file = join(root, 'a-file')
  await writeFile(file, '')
  const failure = await failureOf(search([root], await machineWithGlibc(36), file))
  expect(failure.message).toContain(
    `no directory can hold a copy that does without: ${file}: is not a directory. Set `,
  )
  expect(failure.message).toContain(
    'Set STRANDS_SHELL_RUNTIME_CACHE to a directory that belongs to this user',
  )
})

test('where nothing is installed the error names the install command', async () => {
  const root = await temporaryDirectory()
  const facts = await machineWithGlibc(36)
  expect((await failureOf(search([root], facts))).message).toBe(
    `No Strands Shell engine for this machine (linux x64, glibc 2.36): ${ADDON}: it is not installed ` +
      `(an install that omits optional packages skips it). Install it: npm install ${ADDON}`,
  )
})

test.each([
  { platform: 'linux', arch: 'x64', libc: 'musl', libcVersion: undefined, text: 'linux x64, musl' },
  { platform: 'linux', arch: 'arm64', libc: 'glibc', libcVersion: '2.41', text: 'linux arm64, glibc 2.41' },
  { platform: 'darwin', arch: 'arm64', libc: 'none', libcVersion: undefined, text: 'darwin arm64' },
] as const)(
  '$text without a wrapper is an error that names the wrapper to install',
  async ({ text, ...machine }) => {
    const root = await temporaryDirectory()
    await installRealAddon(root)
    const facts = { ...(await machineWithGlibc(36)), ...machine }
    expect((await failureOf(search([root], facts))).message).toBe(
      `No Strands Shell engine for this machine (${text}): ${ADDON}: it runs on Linux x64 with glibc only. ` +
        `If the engine has a build for this platform, install that: npm install ${WRAPPER}`,
    )
  },
)

test('a damaged addon is an error that keeps its cause', async () => {
  const root = await temporaryDirectory()
  await install(root, ADDON, { version: '0.3.3', main: ADDON_FILE }, { [ADDON_FILE]: 'not an addon' })
  const failure = await failureOf(search([root], await machineWithGlibc(36)))
  expect(failure.message).toMatch(/it could not be read: ELF header: .*Install it again: npm install/)
  expect(failure.cause).toMatchObject({ name: 'ElfFormatError' })
})

test('the engine is resolved once a process, from the sources, and not loaded', async () => {
  vi.stubEnv('STRANDS_SHELL_RUNTIME_CACHE', join(await temporaryDirectory(), 'cache'))
  onTestFinished(() => void vi.unstubAllEnvs())
  const first = resolveEngine()
  expect(resolveEngine()).toBe(first)
  expect(await first).toMatchObject({ packageName: ADDON, originalPath: installedAddon })
  expect(await readFile('/proc/self/maps', 'latin1')).not.toMatch(/strands-shell[^/\n]*\.node/)
})

test.each(['esm', 'cjs'] as const)(
  'bundled as %s the engine is found from the working directory',
  async (format) => {
    const [out, root] = [await temporaryDirectory(), await temporaryDirectory()]
    const script = await bundleFixture('resolve-child', out, format)
    const env = { STRANDS_SHELL_RUNTIME_CACHE: join(out, 'cache') }
    await installRealAddon(root)
    const end = await runChild(script, [], { cwd: root, env })
    expect({ ...end, stdout: JSON.parse(end.stdout) }).toMatchObject({
      code: 0,
      stderr: '',
      stdout: [{ originalPath: installedAddon }],
    })
  },
)

test('a failure is not kept: once the engine is installed it is found', async () => {
  const [out, root] = [await temporaryDirectory(), await temporaryDirectory()]
  const script = await bundleFixture('resolve-child', out)
  const env = { STRANDS_SHELL_RUNTIME_CACHE: join(out, 'cache') }
  const end = await runChild(script, [dirname(installedAddon)], { cwd: root, env })
  expect({ ...end, stdout: JSON.parse(end.stdout) }).toMatchObject({
    code: 0,
    stderr: '',
    stdout: ['ENGINE_UNAVAILABLE', { originalPath: installedAddon }],
  })
})
