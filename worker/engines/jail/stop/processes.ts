import { readdirSync, readFileSync } from 'node:fs'

/** A process, by what does not change when its number is given to another one. */
export interface ProcessId {
  readonly pid: number
  /** When it was started, in ticks of the kernel. */
  readonly start: number
}

/** The processes that a process has started and that are its own; none where it has ended. */
export function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    )
  } catch {
    // It has ended.
    return []
  }
}

/** A process that is there; undefined where it has ended, or only waits to be reaped. */
export function identify(pid: number): ProcessId | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : { pid, start: Number(fields[19]) }
  } catch {
    // It has ended.
    return undefined
  }
}

/** Whether it has not ended. */
export function lives({ pid, start }: ProcessId): boolean {
  return identify(pid)?.start === start
}

/** A process and all below it, parents first, without those that `skips` names and what is below them. */
export function treeOf(pid: number, skips: (each: ProcessId) => boolean = () => false): ProcessId[] {
  const found: ProcessId[] = []
  const seen = new Set<number>()
  const waiting = [pid]
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    if (seen.has(next)) continue
    seen.add(next)
    const each = identify(next)
    if (each !== undefined && skips(each)) continue
    if (each !== undefined) found.push(each)
    waiting.push(...childrenOf(next))
  }
  return found
}

/** Sends a signal to a process that is still the same one. */
export function signal(each: ProcessId, name: NodeJS.Signals): void {
  if (!lives(each)) return
  try {
    process.kill(each.pid, name)
  } catch {
    // It has ended meanwhile.
  }
}

/** The number of a process in the innermost namespace that it is in. */
export function innerNumber(pid: number): number | undefined {
  try {
    const line = /^NSpid:\s+(.*)$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]
    return line === undefined ? undefined : Number(line.split(/\s+/).at(-1))
  } catch {
    // It has ended.
    return undefined
  }
}

/** The moment of now as processes tell their start. */
export function ticksNow(): number {
  return Math.floor(Number(readFileSync('/proc/uptime', 'latin1').split(' ')[0]) * 100)
}
