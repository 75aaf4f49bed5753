import { readdirSync, statSync } from 'node:fs'
import { ProcessLimit } from './proc.ts'

const OPEN = '/proc/self/fd'
const limit = new ProcessLimit('Max open files')

/** Descriptors that this process may still open; any number from `wanted` on where there are more. `Infinity` where the system does not tell. */
export function freeDescriptors(wanted: number): number {
  const open = openDescriptors()
  if (open === undefined) return Number.POSITIVE_INFINITY
  // There is a /proc: where its files cannot be read, no descriptor was left.
  return (limit.read(open + wanted) ?? 0) - open
}

/** Undefined where there is no /proc, or this process may not look into it. */
function openDescriptors(): number | undefined {
  let size: number
  try {
    size = statSync(OPEN).size
  } catch {
    return undefined // It takes no descriptor: there is no /proc, or Node's permissions are in the way.
  }
  if (size > 0) return size
  try {
    return readdirSync(OPEN).length // Linux before 6.2 has no size of this directory.
  } catch {
    return Number.POSITIVE_INFINITY // No descriptor was left to list them.
  }
}
