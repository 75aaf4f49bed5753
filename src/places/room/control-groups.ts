import { join } from 'node:path'
import { readSystemFile } from './proc.ts'

/** A group of processes of which the system bounds the threads, and that bound. */
interface Group {
  readonly directory: string
  readonly most: number
}

/** A line of a hierarchy that can bound threads: the one of version 2, or that of `pids`. */
const groupLine = /^(\d+):(?:pids)?:(\/.*)$/gm

let known: readonly Group[] | undefined

/** Threads that may still be started in the control groups of this process; `Infinity` where none is bounded. */
export function freeOfControlGroups(wanted: number): number {
  known ??= boundedGroups()
  if (leastFree(known) < wanted) known = boundedGroups() // A bound may have been raised.
  return leastFree(known)
}

function leastFree(groups: readonly Group[]): number {
  return Math.min(
    Number.POSITIVE_INFINITY,
    ...groups.map(
      ({ directory, most }) => most - Number(readSystemFile(join(directory, 'pids.current')) ?? 0),
    ),
  )
}

function boundedGroups(): readonly Group[] {
  const lines = [...(readSystemFile('/proc/self/cgroup') ?? '').matchAll(groupLine)]
  return lines
    .flatMap(([, hierarchy, path = '/']) => {
      const root = join('/sys/fs/cgroup', hierarchy === '0' ? '' : 'pids')
      return pathsTo(path).map((at) => join(root, at))
    })
    .flatMap((directory) => {
      const most = Number.parseInt(readSystemFile(join(directory, 'pids.max')) ?? '', 10)
      return Number.isNaN(most) ? [] : [{ directory, most }]
    })
}

/** A path, what it is in, and the root: there a container may have its own group. */
function pathsTo(path: string): string[] {
  const parts = path.split('/').filter((part) => part !== '')
  return parts.map((_, index) => `/${parts.slice(0, index + 1).join('/')}`).concat('/')
}
