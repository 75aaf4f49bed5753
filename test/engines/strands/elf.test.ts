import { copyFile, open, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readVersionDefinitions, readVersionRequirements } from '../../../src/engines/strands/elf.ts'
import { ElfFormatError } from '../../../src/engines/strands/elf-file.ts'
import { installedAddon } from './fixtures/addon.ts'
import { type SyntheticElf, syntheticElf } from './fixtures/synthetic-elf.ts'
import { temporaryDirectory } from './fixtures/temporary.ts'

const requirements = [
  { library: 'libm.so.6', version: 'GLIBC_2.29', symbols: ['global'] },
  { library: 'libc.so.6', version: 'GLIBC_2.34', symbols: ['global', 'weak'] },
  { library: 'libc.so.6', version: 'GLIBC_2.39', symbols: ['weak', 'weak'] },
  { library: 'libc.so.6', version: 'GLIBC_2.40', flags: 2, symbols: ['weak'] },
] as const

async function requirementsOf(path: string) {
  await using handle = await open(path, 'r')
  return await readVersionRequirements(handle)
}

async function definitionsOf(path: string) {
  await using handle = await open(path, 'r')
  return await readVersionDefinitions(handle)
}

async function fileOf(bytes: Buffer): Promise<string> {
  const path = join(await temporaryDirectory(), 'file')
  await writeFile(path, bytes)
  return path
}

async function damaged(change: (elf: SyntheticElf) => Buffer | undefined): Promise<string> {
  const elf = syntheticElf(requirements, ['lib.so', 'GLIBC_2.2.5'])
  return fileOf(change(elf) ?? elf.bytes)
}

test('the requirements of a file are listed with their library, flags and place', async () => {
  const { bytes, at } = syntheticElf(requirements)
  expect(await requirementsOf(await fileOf(bytes))).toEqual([
    {
      library: 'libm.so.6',
      version: 'GLIBC_2.29',
      flags: 0,
      flagsOffset: at.requirements + 20,
      weak: false,
      onlyWeakSymbols: false,
    },
    {
      library: 'libc.so.6',
      version: 'GLIBC_2.34',
      flags: 0,
      flagsOffset: at.requirements + 52,
      weak: false,
      onlyWeakSymbols: false,
    },
    {
      library: 'libc.so.6',
      version: 'GLIBC_2.39',
      flags: 0,
      flagsOffset: at.requirements + 68,
      weak: false,
      onlyWeakSymbols: true,
    },
    {
      library: 'libc.so.6',
      version: 'GLIBC_2.40',
      flags: 2,
      flagsOffset: at.requirements + 84,
      weak: true,
      onlyWeakSymbols: true,
    },
  ])
})

test('the definitions of a library are its version names', async () => {
  const { bytes } = syntheticElf([], ['libc.so.6', 'GLIBC_2.2.5', 'GLIBC_2.34'])
  expect(await definitionsOf(await fileOf(bytes))).toEqual(
    new Set(['libc.so.6', 'GLIBC_2.2.5', 'GLIBC_2.34']),
  )
})

test('a file without symbol versions requires and defines none', async () => {
  const path = await fileOf(syntheticElf([]).bytes)
  expect(await requirementsOf(path)).toEqual([])
  expect(await definitionsOf(path)).toEqual(new Set())
})

test('the addon binds only weak symbols to GLIBC_2.39, the newest version it asks for', async () => {
  const found = await requirementsOf(installedAddon)
  expect(found).toHaveLength(27)
  expect(found.filter(({ version }) => version === 'GLIBC_2.39')).toEqual([
    {
      library: 'libc.so.6',
      version: 'GLIBC_2.39',
      flags: 0,
      flagsOffset: 7272,
      weak: false,
      onlyWeakSymbols: true,
    },
  ])
  expect(found.find(({ version }) => version === 'GLIBC_2.34')?.onlyWeakSymbols).toBe(false)
  expect(found.filter(({ weak }) => weak)).toEqual([])
})

test('a file cut short anywhere is refused as damaged', async () => {
  const { bytes } = syntheticElf(requirements)
  const path = await fileOf(bytes)
  const shortest = bytes.length
  for (let size = shortest - 1; size >= 0; size--) {
    await truncate(path, size)
    await expect(requirementsOf(path), `cut at ${size}`).rejects.toThrow(ElfFormatError)
  }
})

test('the addon cut short is refused as damaged', async () => {
  const path = join(await temporaryDirectory(), 'addon')
  await copyFile(installedAddon, path)
  for (const size of [16_044_383, 8_000_000, 0x2000, 0x1a94, 64, 63, 5, 4, 1, 0]) {
    await truncate(path, size)
    await expect(requirementsOf(path), `cut at ${size}`).rejects.toThrow(ElfFormatError)
  }
})

const damages: Record<string, [message: RegExp, change: (elf: SyntheticElf) => Buffer | undefined]> = {
  'a text file': [/not an ELF file/, () => Buffer.alloc(100, '#!/bin/sh\n')],
  'a 32-bit file': [/not a 64-bit little-endian/, ({ bytes }) => void bytes.writeUInt8(1, 4)],
  'a big-endian file': [/not a 64-bit little-endian/, ({ bytes }) => void bytes.writeUInt8(2, 5)],
  'no sections': [/0 sections/, ({ bytes }) => void bytes.writeUInt16LE(0, 0x3c)],
  'too many sections': [/65535 sections/, ({ bytes }) => void bytes.writeUInt16LE(0xffff, 0x3c)],
  'section headers of a wrong size': [
    /section headers of 1 bytes/,
    ({ bytes }) => void bytes.writeUInt16LE(1, 0x3a),
  ],
  'a section table outside the file': [
    /section table.*outside/,
    ({ bytes }) => void bytes.writeBigUInt64LE(2n ** 64n - 1n, 0x28),
  ],
  'a section outside the file': [
    /outside the file/,
    ({ bytes, at }) => void bytes.writeBigUInt64LE(2n ** 63n, at.sectionTable + 64 * 3 + 24),
  ],
  'a section of 2^63 bytes': [
    /expected at most/,
    ({ bytes, at }) => void bytes.writeBigUInt64LE(2n ** 63n, at.sectionTable + 64 * 3 + 32),
  ],
  'a section that links nowhere': [
    /links to 4294967295/,
    ({ bytes, at }) => void bytes.writeUInt32LE(0xffff_ffff, at.sectionTable + 64 * 3 + 40),
  ],
  'two sections of requirements': [
    /2 sections of type/,
    ({ bytes, at }) => void bytes.writeUInt32LE(0x6fff_fffe, at.sectionTable + 4),
  ],
  'no symbol versions': [
    /no symbol has one/,
    ({ bytes, at }) => void bytes.writeUInt32LE(0, at.sectionTable + 64 * 2 + 4),
  ],
  'fewer symbol versions than symbols': [
    /symbol versions for/,
    ({ bytes, at }) => void bytes.writeBigUInt64LE(2n, at.sectionTable + 64 * 2 + 32),
  ],
  'a library chain that steps back into itself': [
    /steps by 1 bytes/,
    ({ bytes, at }) => void bytes.writeUInt32LE(1, at.requirements + 12),
  ],
  'a library chain that leaves its section': [
    /outside its/,
    ({ bytes, at }) => void bytes.writeUInt32LE(0xffff_fff0, at.requirements + 12),
  ],
  'a version chain that steps back into itself': [
    /steps by 8 bytes/,
    ({ bytes, at }) => void bytes.writeUInt32LE(8, at.requirements + 28),
  ],
  'a version chain that leaves its section': [
    /outside its/,
    ({ bytes, at }) => void bytes.writeUInt32LE(0x1000, at.requirements + 8),
  ],
  'a name outside the strings': [
    /outside its/,
    ({ bytes, at }) => void bytes.writeUInt32LE(0xffff_ffff, at.requirements + 4),
  ],
  'a name without an end': [
    /does not end/,
    ({ bytes, at }) => void bytes.fill('x', at.strings, at.definitions),
  ],
}

for (const [what, [message, change]] of Object.entries(damages)) {
  test(`a file with ${what} is refused, and says why`, async () => {
    const path = await damaged(change)
    const failure = await requirementsOf(path).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ElfFormatError)
    expect(String(failure)).toMatch(message)
  })
}

test('a section with thousands of overlapping version chains is refused, not walked', async () => {
  const many = Array.from({ length: 1000 }, (_, index) => ({ library: `l${index}`, version: 'V' }))
  const { bytes, at } = syntheticElf(many)
  for (let index = 0; index < many.length; index++) {
    const need = at.requirements + index * 32
    // Each version entry leads to the next library's, so that every chain runs to the section's end.
    if (index < many.length - 1) bytes.writeUInt32LE(32, need + 16 + 12)
  }
  await expect(requirementsOf(await fileOf(bytes))).rejects.toThrow('more than 1024 requirements')
})

test('a directory is refused', async () => {
  await expect(requirementsOf(await temporaryDirectory())).rejects.toThrow('expected a regular file')
})

const byteChanges = (size: number) =>
  fc.array(fc.tuple(fc.nat(size - 1), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 8 })

test('a file with random bytes changed is read or refused, at once', async () => {
  const { bytes } = syntheticElf(requirements, ['lib.so', 'GLIBC_2.2.5'])
  const path = await fileOf(bytes)
  await fc.assert(
    fc.asyncProperty(byteChanges(bytes.length), async (changes) => {
      const mutated = Buffer.from(bytes)
      for (const [at, value] of changes) mutated[at] = value
      await writeFile(path, mutated)
      await settles(path)
    }),
    { numRuns: 400, interruptAfterTimeLimit: 20_000 },
  )
})

test('the addon with random bytes of its version tables changed is read or refused, at once', async () => {
  const path = join(await temporaryDirectory(), 'addon')
  await copyFile(installedAddon, path)
  await using file = await open(path, 'r+')
  const tables = [
    { start: 0, size: 64 },
    { start: 0x18c0, size: 0x1d4 },
    { start: 0x1a94, size: 0x1f0 },
    { start: 0xf4c920, size: 33 * 64 },
  ]
  const change = fc.constantFrom(...tables).chain(({ start, size }) =>
    fc.tuple(
      fc.nat(size - 1).map((at) => start + at),
      fc.integer({ min: 0, max: 255 }),
    ),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
      const undo: [number, number][] = []
      for (const [at, value] of changes) {
        const { buffer } = await file.read(Buffer.alloc(1), 0, 1, at)
        undo.unshift([at, buffer.readUInt8()])
        await file.write(Buffer.of(value), 0, 1, at)
      }
      await settles(path)
      for (const [at, value] of undo) await file.write(Buffer.of(value), 0, 1, at)
    }),
    { numRuns: 200, interruptAfterTimeLimit: 20_000 },
  )
  expect(await requirementsOf(path)).toHaveLength(27)
})

async function settles(path: string): Promise<void> {
  const started = performance.now()
  for (const read of [requirementsOf, definitionsOf]) {
    const failure = await read(path).then(
      () => undefined,
      (error: unknown) => error,
    )
    if (failure !== undefined) expect(failure).toBeInstanceOf(ElfFormatError)
  }
  expect(performance.now() - started).toBeLessThan(2000)
}
