import { readdirSync, readFileSync } from 'node:fs'

/** Ids of the child processes of a process that have not been waited for. Default: of this one. */
export function children(pid: number = process.pid): readonly number[] {
  return read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number)
}

/**
 * Child processes of this one, without jails that have ended with a thread that was terminated: nobody is left to wait for
 * them. They have nothing but an entry in the list of processes.
 */
export function livingChildren(): readonly number[] {
  return children().filter((pid) => !/^\d+ \(bwrap\) Z/.test(read(`/proc/${pid}/stat`)))
}

/** Number of open descriptors of this process. */
export function descriptors(): number {
  return readdirSync('/proc/self/fd').length
}

/** Number of threads of a process, and bytes of its resident memory and of its address space; all 0 where it has ended. */
export function sizeOf(pid: number | 'self'): Record<'threads' | 'rss' | 'reserved', number> {
  const status = read(`/proc/${pid}/status`)
  const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0)
  return { threads: field('Threads'), rss: field('VmRSS') * 1024, reserved: field('VmSize') * 1024 }
}

/** Number of the engine's threads in this process: one for each shell, and a few more. */
export function nativeThreads(): number {
  return readdirSync('/proc/self/task').filter((id) => read(`/proc/self/task/${id}/comm`).startsWith('tokio'))
    .length
}

/** Processor time of a process and of the children that it has waited for, in seconds. */
export function processorTime(pid: number | 'self'): number {
  const stat = read(`/proc/${pid}/stat`)
  const ticks = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 15)
  return ticks.reduce((sum, each) => sum + Number(each), 0) / 100
}

/** The text of a file; empty where the process or thread has ended. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return '' // It ended meanwhile.
  }
}
