import { readFileSync } from 'node:fs'

/** Bytes of address space that this process may still reserve; `Infinity` where nothing limits it. */
export function addressSpaceLeft(): number {
  const limits = read('/proc/self/limits')
  const status = read('/proc/self/status')
  return Math.min(
    softLimit(limits, 'Max address space') - kilobytes(status, 'VmSize'),
    softLimit(limits, 'Max data size') - kilobytes(status, 'VmData'),
    commitLeft(),
  )
}

/** Under strict overcommit the kernel counts a reserved stack as used. */
function commitLeft(): number {
  if (read('/proc/sys/vm/overcommit_memory').trim() !== '2') return Number.POSITIVE_INFINITY
  const memory = read('/proc/meminfo')
  return kilobytes(memory, 'CommitLimit') - kilobytes(memory, 'Committed_AS')
}

/** The soft value of a line of `/proc/self/limits`. */
function softLimit(limits: string, name: string): number {
  const value = new RegExp(`^${name}\\s+(\\d+)`, 'm').exec(limits)?.[1]
  return value === undefined ? Number.POSITIVE_INFINITY : Number(value)
}

function kilobytes(text: string, name: string): number {
  const value = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1]
  return value === undefined ? 0 : Number(value) * 1024
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    // No /proc, or a hidden one: no limit is known.
    return ''
  }
}
