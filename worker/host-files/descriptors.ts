import {
  chmodSync,
  chownSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  futimesSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  utimesSync,
} from 'node:fs'
import { normalize } from 'node:path'
import { DESCRIPTORS, hasDescriptorPaths } from '../../src/contract/descriptor-paths.ts'
import { HostFileError } from './errors.ts'

/** Linux' flag for a descriptor that only names a file and needs no permission on it. Node has no constant for it. */
const O_PATH = 0o10000000
const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_NOCTTY, O_RDONLY } = constants

/**
 * Whether open files have paths: on Linux. Elsewhere a directory is used by its path, which is checked for links before
 * each use: another process that exchanges it in between can lead that one operation elsewhere.
 */
export const system = { hasDescriptorPaths }

/** The path of an open file; `undefined` where open files have none. */
export function descriptorPath(descriptor: number): string | undefined {
  return system.hasDescriptorPaths ? `${DESCRIPTORS}/${descriptor}` : undefined
}

/** A descriptor of a directory, not of a link to one. */
export function openDirectory(path: string): number {
  const access = system.hasDescriptorPaths ? O_PATH : O_RDONLY
  return openSync(path, access | orNone(O_DIRECTORY) | orNone(O_NOFOLLOW))
}

/** Whether a descriptor that `openDirectory` opened is one of a directory: some systems have no flag for it. */
export function isDirectory(descriptor: number): boolean {
  return O_DIRECTORY !== undefined || fstatSync(descriptor).isDirectory()
}

/**
 * A descriptor of whatever is at a path, also of a link, that opens neither a FIFO nor a device. Where there is no such
 * thing: of a file or directory that may be read.
 */
export function hold(path: string): number {
  if (system.hasDescriptorPaths) return openSync(path, O_PATH | O_NOFOLLOW)
  const stats = lstatSync(path)
  if (!stats.isFile() && !stats.isDirectory()) throw new HostFileError('ELOOP')
  return openSync(path, O_RDONLY | orNone(O_NOFOLLOW) | orNone(O_NONBLOCK) | orNone(O_NOCTTY))
}

/** A second descriptor of an open file, whatever its name is now; where that is not possible, of what is at its path. */
export function holdOpen(descriptor: number, path: string): number {
  const through = descriptorPath(descriptor)
  return through === undefined ? hold(path) : openSync(through, O_PATH)
}

/** The path that a descriptor was opened by, without links, as far as the system knows. */
export function realPathOf(descriptor: number, path: string): string {
  const through = descriptorPath(descriptor)
  return through === undefined ? realpathSync.native(path) : readlinkSync(through)
}

/** Whether two real paths are the same, whichever separators they are written with. */
export function samePath(one: string, other: string): boolean {
  return one === other || normalize(one) === normalize(other)
}

export function setMode(descriptor: number, mode: number): void {
  const path = descriptorPath(descriptor)
  if (path === undefined) fchmodSync(descriptor, mode)
  else chmodSync(path, mode)
}

export function setOwner(descriptor: number, uid: number, gid: number): void {
  const path = descriptorPath(descriptor)
  if (path === undefined) fchownSync(descriptor, uid, gid)
  else chownSync(path, uid, gid)
}

/** @param modified - for both times: that of access is not kept apart. */
export function setTimes(descriptor: number, modified: Date): void {
  const path = descriptorPath(descriptor)
  if (path === undefined) futimesSync(descriptor, modified, modified)
  else utimesSync(path, modified, modified)
}

/** Windows lacks some of the flags. */
const orNone = (flag: number | undefined) => flag ?? 0
