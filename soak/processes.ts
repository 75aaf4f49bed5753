import { readdirSync, readFileSync } from 'node:fs'

/** Processes that this one has started and that have not been waited for. */
export function children(): readonly number[] {
  return read(`/proc/self/task/${process.pid}/children`).split(' ').filter(Boolean).map(Number)
}

/** Open descriptors of this process. */
export function descriptors(): number {
  return readdirSync('/proc/self/fd').length
}

/** Threads of a process, and its resident memory in bytes; both 0 where it has ended. */
export function sizeOf(pid: number | 'self'): { readonly threads: number; readonly rss: number } {
  const status = read(`/proc/${pid}/status`)
  const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0)
  return { threads: field('Threads'), rss: field('VmRSS') * 1024 }
}

/** Threads of the engine in this process: one a shell, and a few of its own. */
export function nativeThreads(): number {
  return readdirSync('/proc/self/task').filter((id) => read(`/proc/self/task/${id}/comm`).startsWith('tokio'))
    .length
}

/** Seconds of processor time that a process took, and the children that it has waited for. */
export function processorTime(pid: number | 'self'): number {
  const stat = read(`/proc/${pid}/stat`)
  const ticks = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 15)
  return ticks.reduce((sum, each) => sum + Number(each), 0) / 100
}

/** Empty where the process or thread has ended. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return '' // It has ended meanwhile.
  }
}
