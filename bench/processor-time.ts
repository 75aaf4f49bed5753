import { readFileSync } from 'node:fs'
import { descendants } from './resident.ts'

/** Ticks of a second in /proc, on every Linux that Node runs on. */
const ticks = 100

/**
 * Seconds of a processor that a process and its descendants took, as long as they live.
 *
 * @param pid - default: this process.
 * @param named - counts those alone whose name begins so.
 */
export function processorTime(pid?: string, named = ''): number {
  return descendants(pid).reduce((sum, one) => sum + secondsOf(statOf(one), named), 0)
}

function secondsOf(stat: string, named: string): number {
  const [begin, end] = [stat.indexOf('('), stat.lastIndexOf(')')]
  if (begin < 0 || !stat.slice(begin + 1, end).startsWith(named)) return 0
  // The name can have spaces; the fields begin behind it, with the state.
  const fields = stat.slice(end + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / ticks
}

function statOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    // It has ended meanwhile.
    return ''
  }
}
