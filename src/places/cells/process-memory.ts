import { readFileSync } from 'node:fs'

const residentLine = /^VmRSS:\s+(\d+) kB$/m

/** Resident memory of a process, in bytes; undefined where the system does not tell, or it has ended. */
export function processMemory(pid: number): number | undefined {
  try {
    const kilobytes = residentLine.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024
  } catch {
    return undefined // Ended, or no Linux.
  }
}
