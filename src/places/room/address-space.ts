import { ProcessLimit, readSystemFile } from './proc.ts'

const limit = new ProcessLimit('Max address space')
const reservedLine = /^VmSize:\s+(\d+) kB$/m

/** Bytes of address space that this process may still reserve (`ulimit -v`); `Infinity` where nothing limits it, or the system does not tell. */
export function freeAddressSpace(wanted: number): number {
  const most = limit.read(wanted) ?? Number.POSITIVE_INFINITY
  if (most === Number.POSITIVE_INFINITY) return most
  const free = most - reserved()
  // It may have been raised.
  return free >= wanted ? free : (limit.read(most + wanted) ?? most) - reserved()
}

function reserved(): number {
  return Number(reservedLine.exec(readSystemFile('/proc/self/status') ?? '')?.[1] ?? 0) * 1024
}
