import type { FileHandle } from 'node:fs/promises'
import { type ElfBytes, ElfFile, ElfFormatError, SectionType } from './elf-file.ts'

/** The flag of a version requirement (`vna_flags`) that lets a file load where the version is missing. */
export const VER_FLG_WEAK = 0x2

/** A version that a file requires of a shared library: one entry of `.gnu.version_r`. */
export interface VersionRequirement {
  /** The library's soname, such as `libc.so.6`. */
  readonly library: string
  /** The version's name, such as `GLIBC_2.34`. */
  readonly version: string
  /** `vna_flags`. */
  readonly flags: number
  /** Where `vna_flags`, two bytes, lies in the file. */
  readonly flagsOffset: number
  /** Whether `VER_FLG_WEAK` is set. */
  readonly weak: boolean
  /** Whether every symbol bound to this version is weak: the code then runs without them. */
  readonly onlyWeakSymbols: boolean
}

const MAX_ENTRIES = 1024
const REQUIREMENT_SIZE = 16
const DEFINITION_SIZE = 20
const SYMBOL_SIZE = 24
const STB_WEAK = 2
const HIDDEN_BIT = 0x8000

/**
 * The versions that an ELF file requires of the libraries it links to. Reads a few kilobytes. The
 * handle stays the caller's.
 * @throws ElfFormatError if the file is not a 64-bit little-endian ELF file, or is damaged.
 */
export async function readVersionRequirements(handle: FileHandle): Promise<readonly VersionRequirement[]> {
  const elf = await ElfFile.open(handle)
  const section = elf.only(SectionType.versionRequirements)
  if (section === undefined) return []
  const needs = await elf.read(section)
  const names = await elf.read(elf.linked(section, SectionType.stringTable))
  const strong = await strongVersions(elf)
  const requirements: VersionRequirement[] = []
  for (const need of chain(needs, 0, REQUIREMENT_SIZE, 12)) {
    const library = names.string(needs.u32(need + 4))
    for (const entry of chain(needs, need + needs.u32(need + 8), REQUIREMENT_SIZE, 12)) {
      if (requirements.length === MAX_ENTRIES)
        throw new ElfFormatError(`more than ${MAX_ENTRIES} requirements`)
      const flags = needs.u16(entry + 4)
      requirements.push({
        library,
        version: names.string(needs.u32(entry + 8)),
        flags,
        flagsOffset: section.offset + entry + 4,
        weak: (flags & VER_FLG_WEAK) !== 0,
        onlyWeakSymbols: !strong.has(needs.u16(entry + 6) & ~HIDDEN_BIT),
      })
    }
  }
  return requirements
}

/**
 * The names of the versions that a shared library defines, its own name first.
 * @throws ElfFormatError if the file is not a 64-bit little-endian ELF file, or is damaged.
 */
export async function readVersionDefinitions(handle: FileHandle): Promise<ReadonlySet<string>> {
  const elf = await ElfFile.open(handle)
  const section = elf.only(SectionType.versionDefinitions)
  if (section === undefined) return new Set()
  const definitions = await elf.read(section)
  const names = await elf.read(elf.linked(section, SectionType.stringTable))
  const found = new Set<string>()
  for (const at of chain(definitions, 0, DEFINITION_SIZE, 16)) {
    found.add(names.string(definitions.u32(at + definitions.u32(at + 12))))
  }
  return found
}

/** The version indexes to which at least one symbol is bound that is not weak. */
async function strongVersions(elf: ElfFile): Promise<ReadonlySet<number>> {
  const section = elf.only(SectionType.symbolVersions)
  if (section === undefined) throw new ElfFormatError('versions are required, but no symbol has one')
  const versions = await elf.read(section)
  const symbols = await elf.read(elf.linked(section, SectionType.dynamicSymbols))
  if (versions.size / 2 !== symbols.size / SYMBOL_SIZE) {
    throw new ElfFormatError(`${versions.size / 2} symbol versions for ${symbols.size / SYMBOL_SIZE} symbols`)
  }
  const strong = new Set<number>()
  for (let symbol = 0; symbol < versions.size / 2; symbol++) {
    const binding = symbols.u8(symbol * SYMBOL_SIZE + 4) >> 4
    if (binding !== STB_WEAK) strong.add(versions.u16(symbol * 2) & ~HIDDEN_BIT)
  }
  return strong
}

/**
 * The offsets of linked entries, up to the one without a next one, as the dynamic loader walks them.
 * Each must lie behind the one before, so a chain cannot loop.
 */
function* chain(bytes: ElfBytes, start: number, entrySize: number, nextAt: number): Generator<number> {
  let at = start
  for (let count = 0; count < MAX_ENTRIES; count++) {
    const step = bytes.u32(at + nextAt)
    yield at
    if (step === 0) return
    if (step < entrySize) throw new ElfFormatError(`a chain of entries steps by ${step} bytes at ${at}`)
    at += step
  }
  throw new ElfFormatError(`a chain of more than ${MAX_ENTRIES} entries`)
}
