import { readdirSync, readFileSync } from 'node:fs'

/** What the processes of a jail have. */
export interface Usage {
  /** Processes and threads. */
  readonly processes: number
  /** Bytes of memory that is no file's. What several share counts for each. */
  readonly memory: number
}

/**
 * What a process and all that come from it have.
 *
 * @param most - after so many nothing more is counted.
 */
export function usageOf(pid: number, most: number): Usage {
  let processes = 0
  let memory = 0
  const pending = [pid]
  for (let next = pending.pop(); next !== undefined && processes <= most; next = pending.pop()) {
    try {
      const threads = readdirSync(`/proc/${next}/task`)
      processes += threads.length
      memory += memoryOf(next)
      for (const thread of threads) pending.push(...childrenOf(next, thread))
    } catch {
      // It has ended meanwhile, and what it has started belongs to the first process of the jail now.
    }
  }
  return { processes, memory }
}

function childrenOf(pid: number, thread: string): number[] {
  const children = readFileSync(`/proc/${pid}/task/${thread}/children`, 'latin1')
  return children.split(' ').flatMap((child) => (child === '' ? [] : [Number(child)]))
}

function memoryOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1')
  const kibibytes = [...status.matchAll(/^Rss(?:Anon|Shmem):\s+(\d+) kB$/gm)].map(([, size]) => Number(size))
  return kibibytes.reduce((sum, size) => sum + size, 0) * 1024
}
