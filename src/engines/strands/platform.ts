import { LoadedLibraries } from './libraries.ts'

/** What this machine is, as far as an engine cares. */
export interface PlatformFacts {
  readonly platform: NodeJS.Platform
  readonly arch: NodeJS.Architecture
  /** `none` where the platform is not Linux, `unknown` where it could not be told. */
  readonly libc: 'glibc' | 'musl' | 'unknown' | 'none'
  /** The version of glibc, such as `2.36`. */
  readonly libcVersion: string | undefined
  /** The shared libraries of this process. */
  readonly libraries: LoadedLibraries
}

let facts: Promise<PlatformFacts> | undefined

/**
 * Facts of this machine, found once a process, without blocking its event loop. A failure is not kept: the next call
 * looks again.
 *
 * @throws the system's error where nothing more can be opened
 */
export function platformFacts(): Promise<PlatformFacts> {
  if (facts === undefined) {
    const finding = findFacts()
    facts = finding
    finding.catch(() => {
      if (facts === finding) facts = undefined
    })
  }
  return facts
}

/** For people: `linux x64, glibc 2.36`. */
export function describePlatform({ platform, arch, libc, libcVersion }: PlatformFacts): string {
  const machine = `${platform} ${arch}`
  if (libc === 'none') return machine
  if (libc === 'unknown') return `${machine}, unknown libc`
  return libcVersion === undefined ? `${machine}, ${libc}` : `${machine}, ${libc} ${libcVersion}`
}

async function findFacts(): Promise<PlatformFacts> {
  const { platform, arch } = process
  if (platform !== 'linux') {
    return { platform, arch, libc: 'none', libcVersion: undefined, libraries: new LoadedLibraries([]) }
  }
  const libraries = await LoadedLibraries.ofThisProcess()
  return { platform, arch, libc: libraries.libc, libcVersion: await libraries.glibcVersion(), libraries }
}
