import { lstatSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { JailMount } from '../../../../src/bubblewrap/plan.ts'
import type { JailRecord } from '../../../../src/contract/shell-record.ts'
import { DRIVER, STATE } from '../scripts/places.ts'
import type { PrivateDirectory } from './private-directory.ts'

/** Directories of a root that hold programs and libraries. */
const PROGRAMS = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/opt',
  '/nix/store',
  '/gnu/store',
]

/** What of `/etc` programs need. Each mount takes its time, and nothing here is the host's own. */
const SETTINGS = [
  'alternatives',
  'ld.so.cache',
  'localtime',
  'os-release',
  'pki/tls',
  'ssl/certs',
  'ssl/openssl.cnf',
]

/** Files of `/etc` that the driver writes. */
export const etcScripts: Readonly<Record<string, string>> = {
  'etc-passwd':
    'root:x:0:0:root:/root:/bin/sh\nuser:x:1000:1000:user:/home/user:/bin/bash\nnobody:x:65534:65534:nobody:/:/bin/false\n',
  'etc-group': 'root:x:0:\nuser:x:1000:\nnogroup:x:65534:\n',
  'etc-hosts': '127.0.0.1 localhost jail\n::1 localhost\n',
  'etc-nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files dns\n',
  'etc-resolv.conf': '',
}

/** Directories that a jail begins with and that are empty. */
export const EMPTY_DIRECTORIES: readonly string[] = ['/tmp', '/home/user']

/** Bytes of the file system for the state of a shell. */
const STATE_SIZE = 32 * 2 ** 20

/** A host directory or file in a jail. */
export interface BoundPlace {
  readonly source: string
  readonly destination: string
  readonly writable: boolean
}

/** What a jail has besides its root. */
interface Bound {
  readonly shared: PrivateDirectory
  readonly places: readonly BoundPlace[]
  /** Mounts of its network. */
  readonly network: readonly JailMount[]
}

/** All that a jail has. One file system in memory holds everything that it can write, but its binds. */
export function jailMounts(
  record: Pick<JailRecord, 'root' | 'tmpfs'>,
  { shared, places, network }: Bound,
): JailMount[] {
  return [
    { kind: 'tmpfs', destination: '/', size: record.tmpfs, mode: 0o755 },
    ...PROGRAMS.flatMap((path) => entry(record.root, path)),
    { kind: 'directory', destination: '/etc', mode: 0o755 },
    ...SETTINGS.flatMap((name) => entry(record.root, `/etc/${name}`)),
    ...Object.keys(etcScripts).map(
      (name): JailMount => ({
        kind: 'symlink',
        target: `${DRIVER}/${name}`,
        destination: `/etc/${name.slice('etc-'.length)}`,
      }),
    ),
    { kind: 'directory', destination: '/run', mode: 0o755 },
    { kind: 'directory', destination: '/tmp', mode: 0o1777 },
    { kind: 'directory', destination: '/home', mode: 0o755 },
    { kind: 'directory', destination: '/home/user', mode: 0o755 },
    { kind: 'proc', destination: '/proc' },
    { kind: 'dev', destination: '/dev' },
    { kind: 'tmpfs', destination: '/dev/shm', size: record.tmpfs, mode: 0o1777 },
    { kind: 'readonly', destination: '/dev' },
    { kind: 'bind', source: shared.directory, destination: DRIVER },
    { kind: 'tmpfs', destination: STATE, size: STATE_SIZE, mode: 0o700 },
    ...network,
    // What lies in another bind is mounted after it.
    ...[...places]
      .sort((one, other) => one.destination.length - other.destination.length)
      .map((place): JailMount => ({ kind: 'bind', ...place })),
  ]
}

/** What is at a path of the root: a link is made again. */
function entry(root: string, path: string): JailMount[] {
  const source = join(root, path)
  const stat = lstatSync(source, { throwIfNoEntry: false })
  if (stat === undefined) return []
  if (stat.isSymbolicLink()) return [{ kind: 'symlink', target: readlinkSync(source), destination: path }]
  return [{ kind: 'bind', source, destination: path }]
}
