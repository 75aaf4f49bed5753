import type { FileHandle } from 'node:fs/promises'

/** A file is not the 64-bit little-endian ELF file it should be; the message says where it differs. */
export class ElfFormatError extends Error {
  override readonly name = 'ElfFormatError'
}

/** Section types (`sh_type`) that symbol versions are made of. */
export const SectionType = {
  stringTable: 3,
  dynamicSymbols: 11,
  versionDefinitions: 0x6fff_fffd,
  versionRequirements: 0x6fff_fffe,
  symbolVersions: 0x6fff_ffff,
} as const

/** One entry of the section header table; offsets and sizes in bytes. */
export interface ElfSection {
  readonly index: number
  readonly type: number
  readonly offset: number
  readonly size: number
  readonly link: number
}

/** Bytes that refuse, with an {@link ElfFormatError}, to be read outside their bounds. */
export class ElfBytes {
  readonly #bytes: Buffer
  readonly #what: string

  constructor(bytes: Buffer, what: string) {
    this.#bytes = bytes
    this.#what = what
  }

  get size(): number {
    return this.#bytes.length
  }

  u8(at: number): number {
    return this.#bytes.readUInt8(this.#checked(at, 1))
  }

  u16(at: number): number {
    return this.#bytes.readUInt16LE(this.#checked(at, 2))
  }

  u32(at: number): number {
    return this.#bytes.readUInt32LE(this.#checked(at, 4))
  }

  /** Exact up to 2^53; what is larger stays larger than any file. */
  u64(at: number): number {
    return Number(this.#bytes.readBigUInt64LE(this.#checked(at, 8)))
  }

  /** The NUL-terminated string at `at`. */
  string(at: number): string {
    this.#checked(at, 1)
    const end = this.#bytes.subarray(at, at + MAX_STRING).indexOf(0)
    if (end === -1) throw new ElfFormatError(`${this.#what}: the string at ${at} does not end`)
    return this.#bytes.toString('latin1', at, at + end)
  }

  #checked(at: number, size: number): number {
    if (at + size > this.#bytes.length) {
      throw new ElfFormatError(
        `${this.#what}: ${size} bytes at ${at} lie outside its ${this.#bytes.length} bytes`,
      )
    }
    return at
  }
}

const HEADER_SIZE = 64
const SECTION_HEADER_SIZE = 64
const MAX_SECTIONS = 1024
const MAX_SECTION_SIZE = 4 * 1024 * 1024
const MAX_STRING = 256
const ELF_MAGIC = 0x464c_457f
const CLASS_64 = 2
const LITTLE_ENDIAN = 1

/** An ELF file's section table. Only what is asked for is read, and nothing above 4 MiB at once. */
export class ElfFile {
  readonly #handle: FileHandle
  readonly #size: number
  readonly #sections: readonly ElfSection[]

  private constructor(handle: FileHandle, size: number, sections: readonly ElfSection[]) {
    this.#handle = handle
    this.#size = size
    this.#sections = sections
  }

  /**
   * Reads the header and the section table. The handle stays the caller's.
   * @throws ElfFormatError if the file is not a 64-bit little-endian ELF file, or is damaged.
   */
  static async open(handle: FileHandle): Promise<ElfFile> {
    const stat = await handle.stat()
    if (!stat.isFile()) throw new ElfFormatError('expected a regular file')
    const header = await readExactly(handle, stat.size, 0, HEADER_SIZE, 'ELF header')
    if (header.u32(0) !== ELF_MAGIC) throw new ElfFormatError('not an ELF file')
    if (header.u8(4) !== CLASS_64 || header.u8(5) !== LITTLE_ENDIAN) {
      throw new ElfFormatError('not a 64-bit little-endian ELF file')
    }
    const entrySize = header.u16(0x3a)
    const count = header.u16(0x3c)
    if (entrySize !== SECTION_HEADER_SIZE)
      throw new ElfFormatError(`section headers of ${entrySize} bytes, expected 64`)
    if (count === 0 || count > MAX_SECTIONS)
      throw new ElfFormatError(`${count} sections, expected 1 to ${MAX_SECTIONS}`)
    const table = await readExactly(handle, stat.size, header.u64(0x28), count * entrySize, 'section table')
    const sections = Array.from({ length: count }, (_, index) => sectionAt(table, index))
    return new ElfFile(handle, stat.size, sections)
  }

  /** The one section of a type, if there is one. */
  only(type: number): ElfSection | undefined {
    const found = this.#sections.filter((section) => section.type === type)
    if (found.length > 1) throw new ElfFormatError(`${found.length} sections of type ${type}, expected one`)
    return found[0]
  }

  /** The section that `section.link` names, which must be of `type`. */
  linked(section: ElfSection, type: number): ElfSection {
    const target = this.#sections[section.link]
    if (target?.type !== type) {
      throw new ElfFormatError(
        `section ${section.index} links to ${section.link}, which is not of type ${type}`,
      )
    }
    return target
  }

  /** A section's bytes. */
  read(section: ElfSection): Promise<ElfBytes> {
    return readExactly(this.#handle, this.#size, section.offset, section.size, `section ${section.index}`)
  }
}

function sectionAt(table: ElfBytes, index: number): ElfSection {
  const at = index * SECTION_HEADER_SIZE
  return {
    index,
    type: table.u32(at + 4),
    offset: table.u64(at + 24),
    size: table.u64(at + 32),
    link: table.u32(at + 40),
  }
}

async function readExactly(
  handle: FileHandle,
  fileSize: number,
  offset: number,
  size: number,
  what: string,
): Promise<ElfBytes> {
  if (size > MAX_SECTION_SIZE)
    throw new ElfFormatError(`${what}: ${size} bytes, expected at most ${MAX_SECTION_SIZE}`)
  if (offset + size > fileSize) {
    throw new ElfFormatError(`${what}: ${size} bytes at ${offset} lie outside the file's ${fileSize} bytes`)
  }
  const bytes = Buffer.alloc(size)
  for (let filled = 0; filled < size; ) {
    const { bytesRead } = await handle.read(bytes, filled, size - filled, offset + filled)
    if (bytesRead === 0) throw new ElfFormatError(`${what}: the file ended early`)
    filled += bytesRead
  }
  return new ElfBytes(bytes, what)
}
