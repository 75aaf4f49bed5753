import { readdirSync, type Stats, statSync } from 'node:fs'
import { freeOfControlGroups } from './control-groups.ts'
import { ProcessLimit, readSystemFile } from './proc.ts'

const limit = new ProcessLimit('Max processes')
/** The fourth word has the tasks that run, and all of the machine. */
const allTasks = /^\S+ \S+ \S+ \d+\/(\d+) /

/**
 * Threads and processes that may still be started, as far as the system tells: by the limit of this user (`ulimit -u`)
 * and those of the control groups (`pids.max`). Any number from `wanted` on where there are more.
 */
export function freeTasks(wanted: number): number {
  return Math.min(freeOfUser(wanted), freeOfControlGroups(wanted))
}

function freeOfUser(wanted: number): number {
  if (process.geteuid?.() === 0) return Number.POSITIVE_INFINITY // The limit does not hold for root.
  // All of the machine's are an upper bound that costs one small file.
  const all = Number(allTasks.exec(readSystemFile('/proc/loadavg') ?? '')?.[1] ?? 0)
  const most = limit.read(all + wanted) ?? Number.POSITIVE_INFINITY
  return most - all >= wanted ? most - all : most - tasksOfUser()
}

/** The threads of all processes of this user that can be seen from here. */
function tasksOfUser(): number {
  const user = process.geteuid?.()
  return processes().reduce((tasks, process) => {
    if (look(process)?.uid !== user) return tasks
    // A directory has a link from its parent, one from itself and one from each directory in it.
    return tasks + (look(`${process}/task`)?.nlink ?? 2) - 2
  }, 0)
}

function processes(): readonly string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  } catch {
    return [] // No descriptor was left to list them, or this process may not.
  }
}

function look(path: string): Stats | undefined {
  try {
    return statSync(`/proc/${path}`)
  } catch {
    return undefined // It has ended meanwhile.
  }
}
