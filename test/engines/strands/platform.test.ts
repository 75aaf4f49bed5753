import { copyFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { LoadedLibraries } from '../../../src/engines/strands/libraries.ts'
import { describePlatform, platformFacts } from '../../../src/engines/strands/platform.ts'
import { machineWithGlibc } from './fixtures/machine.ts'
import { syntheticElf } from './fixtures/synthetic-elf.ts'
import { temporaryDirectory } from './fixtures/temporary.ts'

test.runIf(process.platform === 'linux')(
  'the facts of this machine agree with the report that Node gives',
  async () => {
    const report: unknown = process.report.getReport()
    const facts = await platformFacts()
    expect(report).toMatchObject({ header: { glibcVersionRuntime: facts.libcVersion } })
    expect(facts).toMatchObject({ platform: process.platform, arch: process.arch, libc: 'glibc' })
    expect(describePlatform(facts)).toBe(`linux ${process.arch}, glibc ${facts.libcVersion}`)
  },
)

test('the facts are found once', () => {
  expect(platformFacts()).toBe(platformFacts())
})

test('a worker in a long native call does not hold the facts up', async () => {
  const worker = new Worker(
    `const { parentPort } = require('node:worker_threads')
     parentPort.postMessage('busy')
     require('node:child_process').execFileSync('sleep', ['3'])`,
    { eval: true },
  )
  await new Promise((resolve) => worker.once('message', resolve))
  const started = performance.now()
  const libraries = await LoadedLibraries.ofThisProcess()
  expect(await libraries.glibcVersion()).toBeDefined()
  expect(performance.now() - started).toBeLessThan(2000)
  void worker.terminate()
})

test('musl is told from glibc by the libraries in use', () => {
  expect(new LoadedLibraries(['/usr/bin/node', '/lib/ld-musl-x86_64.so.1']).libc).toBe('musl')
  expect(new LoadedLibraries(['/usr/lib/libc.so.6', '/lib/ld-linux-x86-64.so.2']).libc).toBe('glibc')
  expect(new LoadedLibraries(['/lib/x86_64-linux-gnu/libc-2.31.so']).libc).toBe('glibc')
  expect(new LoadedLibraries(['/usr/bin/node']).libc).toBe('unknown')
})

test('without a banner the newest version that glibc defines is its version', async () => {
  expect((await machineWithGlibc(36)).libcVersion).toBe('2.36')
  expect((await machineWithGlibc(9)).libcVersion).toBe('2.9')
})

test('a requirement is unmet where its library lacks the version, and only there', async () => {
  const directory = await temporaryDirectory()
  const libc = join(directory, 'libc-2.31.so')
  await writeFile(libc, syntheticElf([], ['libc.so.6', 'GLIBC_2.31']).bytes)
  await copyFile(libc, join(directory, 'libc.so.6'))
  await writeFile(join(directory, 'libm.so.6'), syntheticElf([], ['libm.so.6', 'GLIBC_2.29']).bytes)
  await writeFile(join(directory, 'libbad.so'), 'not a library')
  const libraries = new LoadedLibraries([libc])
  const requirement = (library: string, version: string, weak = false) => ({
    library,
    version,
    flags: weak ? 2 : 0,
    flagsOffset: 0,
    weak,
    onlyWeakSymbols: false,
  })
  const unmet = await libraries.unmet([
    requirement('libc.so.6', 'GLIBC_2.31'),
    requirement('libc.so.6', 'GLIBC_2.32'),
    requirement('libc.so.6', 'GLIBC_2.39', true),
    requirement('libm.so.6', 'GLIBC_2.31'),
    requirement('libbad.so', 'V'),
    requirement('libmissing.so', 'V'),
    requirement('../../etc/passwd', 'V'),
  ])
  expect(unmet.map(({ library, version }) => `${library} ${version}`)).toEqual([
    'libc.so.6 GLIBC_2.32',
    'libm.so.6 GLIBC_2.31',
  ])
})
