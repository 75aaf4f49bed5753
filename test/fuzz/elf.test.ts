import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { open, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect } from 'vitest'
import { readVersionDefinitions, readVersionRequirements } from '../../src/engines/strands/elf.ts'
import { ElfFormatError } from '../../src/engines/strands/elf-file.ts'
import { LoadedLibraries } from '../../src/engines/strands/libraries.ts'
import { findEngine } from '../../src/engines/strands/resolve-engine.ts'
import { EngineUnavailableError } from '../../src/index.ts'
import { type SyntheticElf, syntheticElf } from '../engines/strands/fixtures/synthetic-elf.ts'
import { expectShowable, outcomeOf } from './support/documented.ts'
import { fuzz } from './support/fuzz.ts'

const directory = mkdtempSync(join(tmpdir(), 'fuzz-elf-'))
afterAll(() => rmSync(directory, { recursive: true }))
const path = join(directory, 'libc.so.6')

const name = fc.oneof(
  fc.constantFrom('libc.so.6', 'libm.so.6', 'GLIBC_2.34', '\u001b[2J', '../../etc/passwd', '__proto__', ''),
  fc.string({ maxLength: 20 }),
)
const requirement = fc.record({
  library: name.filter((text) => !text.includes('\0')),
  version: name.filter((text) => !text.includes('\0')),
  flags: fc.nat(0xffff),
  symbols: fc.array(fc.constantFrom('weak' as const, 'global' as const), { maxLength: 3 }),
})
const file = fc
  .tuple(fc.array(requirement, { minLength: 1, maxLength: 8 }), fc.array(name, { maxLength: 4 }))
  .map(([requirements, definitions]) => syntheticElf(requirements, definitions))

const edge = fc.constantFrom(
  0n,
  1n,
  15n,
  16n,
  0x7fffn,
  0xffffn,
  2n ** 31n,
  2n ** 32n - 1n,
  2n ** 53n,
  2n ** 63n,
  2n ** 64n - 1n,
)
const parts = [
  'sectionTable',
  'strings',
  'symbols',
  'versions',
  'requirements',
  'definitions',
  'header',
] as const
/** A field of one of the tables set to an edge, or to another offset; of a section its type, place, size or link. */
const change = fc.oneof(
  fc.record({
    part: fc.constantFrom(...parts),
    at: fc.nat(400),
    width: fc.constantFrom(1, 2, 4, 8),
    value: fc.oneof(edge, fc.bigInt({ min: 0n, max: 1000n })),
  }),
  fc.record({
    part: fc.constant('sectionTable' as const),
    at: fc
      .tuple(fc.integer({ min: 1, max: 5 }), fc.constantFrom(4, 24, 32, 32, 32, 40))
      .map(([index, field]) => 64 * index + field),
    width: fc.constant(8),
    value: fc.bigInt({ min: 0n, max: 200n }),
  }),
)

function changed(
  { bytes, at }: SyntheticElf,
  changes: readonly { part: (typeof parts)[number]; at: number; width: number; value: bigint }[],
): Buffer {
  const copy = Buffer.from(bytes)
  for (const { part, at: offset, width, value } of changes) {
    const start = (part === 'header' ? 0 : at[part]) + offset
    for (let index = 0; index < width && start + index < copy.length; index++) {
      copy[start + index] = Number((value >> BigInt(8 * index)) & 0xffn)
    }
  }
  return copy
}

const ends = { read: 0, refused: 0 }

fuzz({
  target: 'elf',
  title: 'a damaged addon or library is read or refused, at once',
  cases: 200,
  input: fc.tuple(
    file,
    fc.array(change, { maxLength: 4 }),
    fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { freq: 6 }),
  ),
  holds: async ([elf, changes, cut]) => {
    const bytes = changed(elf, changes)
    await writeFile(path, cut === null ? bytes : bytes.subarray(0, Math.floor(cut * bytes.length)))
    const start = performance.now()
    await using handle = await open(path, 'r')
    const requirements = await ended(() => readVersionRequirements(handle))
    await ended(() => readVersionDefinitions(handle))
    const libraries = new LoadedLibraries([path])
    if (requirements !== undefined) {
      const unmet = await libraries.unmet(requirements)
      expect(unmet.every((one) => requirements.includes(one) && !one.weak)).toBe(true)
      expect(requirements.every(({ flagsOffset }) => flagsOffset + 2 <= bytes.length)).toBe(true)
    }
    const version = await libraries.glibcVersion()
    if (version !== undefined) expect(version).toMatch(/^2\.\d+$/)
    expect(performance.now() - start).toBeLessThan(2000)
  },
  ends: () => [ends.read, ends.refused],
})

async function ended<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    const value = await read()
    ends.read += 1
    return value
  } catch (error) {
    if (!(error instanceof ElfFormatError)) throw error
    expectShowable(error.message, false)
    ends.refused += 1
    return undefined
  }
}

const root = join(directory, 'app')
const packageName = '@strands-agents/shell-linux-x64-gnu'
const installed = join(root, 'node_modules', packageName)
const addon = join(installed, 'strands-shell.linux-x64-gnu.node')
const env = { STRANDS_SHELL_RUNTIME_CACHE: join(directory, 'cache') }
mkdirSync(installed, { recursive: true })
writeFileSync(
  join(installed, 'package.json'),
  JSON.stringify({ name: packageName, version: '0.3.3', main: 'strands-shell.linux-x64-gnu.node' }),
)
mkdirSync(join(directory, 'machine'))
const libc = join(directory, 'machine', 'libc.so.6')
writeFileSync(libc, syntheticElf([], ['libc.so.6', 'GLIBC_2.2.5', 'GLIBC_2.34']).bytes)
const facts = {
  platform: 'linux',
  arch: 'x64',
  libc: 'glibc',
  libcVersion: '2.36',
  libraries: new LoadedLibraries([libc]),
} as const
const engines = { found: 0, refused: 0 }

fuzz({
  target: 'elf',
  title: 'an engine whose addon is damaged is found, or there is none, with what to do',
  cases: 50,
  input: fc.tuple(file, fc.array(change, { maxLength: 3 })),
  holds: async ([elf, changes]) => {
    await writeFile(addon, changed(elf, changes))
    const end = await outcomeOf(() => findEngine({ bases: [join(root, 'app.js')], env, facts }))
    if ('value' in end) {
      engines.found += 1
      expect(end.value).toMatchObject({ packageName, originalPath: addon })
    } else {
      engines.refused += 1
      expect(end.error).toBeInstanceOf(EngineUnavailableError)
      expect(end.error.message).toMatch(
        /^No Strands Shell engine for this machine \(linux x64, glibc 2\.36\): /,
      )
    }
  },
  ends: () => [engines.found, engines.refused],
})
