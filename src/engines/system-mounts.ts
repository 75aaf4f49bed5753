import { lstat, readlink } from 'node:fs/promises'
import type { JailMount } from '../bubblewrap/plan.ts'

/** Where programs of Linux find their libraries. A name is a link to a directory below `/usr`, or a directory. */
const libraryNames = ['/lib', '/lib32', '/lib64', '/libx32']
const moreLibraries = ['/usr/lib', '/usr/lib32', '/usr/lib64', '/usr/libx32', '/usr/local/lib']
/** Where those of distributions of their own kind are. */
const stores = ['/nix/store', '/gnu/store']
const programNames = ['/bin', '/sbin', '/usr']

/** The system's libraries, read only. */
export async function libraryMounts(): Promise<JailMount[]> {
  return (await Promise.all([...libraryNames, ...moreLibraries, ...stores].map(mountOf))).flat()
}

/** All of `/usr`, and what links there: programs and libraries, read only. */
export async function systemMounts(): Promise<JailMount[]> {
  const names = [...programNames, ...libraryNames, ...stores]
  return (await Promise.all(names.map(mountOf))).flat()
}

async function mountOf(path: string): Promise<JailMount[]> {
  try {
    if ((await lstat(path)).isSymbolicLink()) {
      return [{ kind: 'symlink', target: await readlink(path), destination: path }]
    }
    return [{ kind: 'bind', source: path, destination: path }]
  } catch {
    return [] // This system has no such directory.
  }
}
