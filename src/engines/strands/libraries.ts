import { type FileHandle, open, readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { closing } from '../../async/closing.ts'
import { isExhausted } from '../../sandbox/exhaustion.ts'
import { readVersionDefinitions, type VersionRequirement } from './elf.ts'

const GLIBC = /^libc(?:\.so\.6|-2\.\d+\.so)$/
const MUSL = /^(?:ld-musl-|libc\.musl-)/
const BANNER = 'GNU C Library '
const BANNER_VERSION = /^GNU C Library [^\n]* version (\d+\.\d+)/
const MAX_BANNER = 256
const MAX_LIBC_SIZE = 16 * 1024 * 1024

/**
 * The shared libraries of this process, read from `/proc/self/maps` and from their files. Where that cannot be read, Node's
 * report names them: it stops the event loop until every worker thread, also one inside a long native call, has answered.
 */
export class LoadedLibraries {
  readonly #paths: ReadonlyMap<string, string>
  readonly #libc: string | undefined
  readonly #definitions = new Map<string, Promise<ReadonlySet<string> | undefined>>()
  /** Which C library this process runs on. */
  readonly libc: 'glibc' | 'musl' | 'unknown'

  constructor(paths: Iterable<string>) {
    this.#paths = new Map(Array.from(paths, (path) => [basename(path), path]))
    const names = [...this.#paths.keys()]
    const glibc = names.find((name) => GLIBC.test(name))
    this.#libc = glibc === undefined ? undefined : this.#paths.get(glibc)
    this.libc = glibc !== undefined ? 'glibc' : names.some((name) => MUSL.test(name)) ? 'musl' : 'unknown'
  }

  /** Those that this process has mapped. */
  static async ofThisProcess(): Promise<LoadedLibraries> {
    try {
      return new LoadedLibraries(mappedFiles(await readFile('/proc/self/maps', 'latin1')))
    } catch (error) {
      if (isExhausted(error)) throw error
      // No /proc, a hidden one, or one that Node's permissions keep out.
      return new LoadedLibraries(reportedFiles())
    }
  }

  /** The version of glibc, such as `2.36`: from its banner, else the newest version it defines. */
  async glibcVersion(): Promise<string | undefined> {
    if (this.#libc === undefined) return undefined
    const banner = await withFile(this.#libc, readBannerVersion)
    if (banner !== undefined) return banner
    const versions = [...((await this.#definitionsOf('libc.so.6')) ?? [])]
      .flatMap((name) => /^GLIBC_2\.(\d+)$/.exec(name)?.[1] ?? [])
      .map(Number)
    return versions.length === 0 ? undefined : `2.${Math.max(...versions)}`
  }

  /** The requirements that these libraries do not meet; one on a library that cannot be read counts as met. */
  async unmet(requirements: readonly VersionRequirement[]): Promise<readonly VersionRequirement[]> {
    const unmet: VersionRequirement[] = []
    for (const requirement of requirements) {
      if (requirement.weak) continue
      const definitions = await this.#definitionsOf(requirement.library)
      if (definitions !== undefined && !definitions.has(requirement.version)) unmet.push(requirement)
    }
    return unmet
  }

  #definitionsOf(library: string): Promise<ReadonlySet<string> | undefined> {
    const path = this.#pathOf(library)
    if (path === undefined) return Promise.resolve(undefined)
    let definitions = this.#definitions.get(path)
    if (definitions === undefined) {
      definitions = withFile(path, readVersionDefinitions)
      this.#definitions.set(path, definitions)
      definitions.catch(() => this.#definitions.delete(path))
    }
    return definitions
  }

  #pathOf(library: string): string | undefined {
    const mapped = this.#paths.get(library)
    if (mapped !== undefined) return mapped
    if (basename(library) !== library || this.#libc === undefined) return undefined
    return join(dirname(this.#libc), library)
  }
}

function mappedFiles(maps: string): Set<string> {
  return new Set(Array.from(maps.matchAll(/ (\/.+?)(?: \(deleted\))?$/gm), ([, path = '']) => path))
}

function reportedFiles(): readonly string[] {
  const { report } = process
  // It would look up a name for each connection. The types of Node 20 lack the field.
  const excludeNetwork: unknown = Reflect.get(report, 'excludeNetwork')
  Reflect.set(report, 'excludeNetwork', true)
  try {
    const files: unknown = Reflect.get(report.getReport(), 'sharedObjects')
    return Array.isArray(files)
      ? files.filter((file) => typeof file === 'string' && file.startsWith('/'))
      : []
  } finally {
    Reflect.set(report, 'excludeNetwork', excludeNetwork)
  }
}

async function withFile<T>(path: string, read: (handle: FileHandle) => Promise<T>): Promise<T | undefined> {
  try {
    return await closing(await open(path, 'r'), read)
  } catch (error) {
    if (isExhausted(error)) throw error
    // An unreadable library proves nothing: the dynamic loader has the last word.
    return undefined
  }
}

async function readBannerVersion(handle: FileHandle): Promise<string | undefined> {
  const chunk = Buffer.alloc(256 * 1024)
  for (let offset = 0; offset < MAX_LIBC_SIZE; offset += chunk.length - MAX_BANNER) {
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, offset)
    const at = chunk.subarray(0, bytesRead).indexOf(BANNER)
    const match = at === -1 ? null : BANNER_VERSION.exec(chunk.toString('latin1', at, at + MAX_BANNER))
    if (match !== null) return match[1]
    if (bytesRead < chunk.length) return undefined
  }
  return undefined
}
