import { readdirSync, readFileSync } from 'node:fs'

/** The flag of a descriptor that no further program gets. */
const CLOSE_ON_EXEC = 0o2000000

/** Descriptors below this number are the driver's own in every child. */
const FIRST = 5

let found: readonly number[] | undefined

/**
 * Descriptors that this process has from whoever started it, and that each of its children would get. Node opens none like
 * them, so that one look is enough.
 */
export function inheritedDescriptors(): readonly number[] {
  found ??= readdirSync('/proc/self/fd')
    .map(Number)
    .filter((fd) => fd >= FIRST && !isClosedOnExec(fd))
  return found
}

function isClosedOnExec(fd: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1'))?.[1]
    return flags === undefined || (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) !== 0
  } catch {
    // It is closed by now.
    return true
  }
}
