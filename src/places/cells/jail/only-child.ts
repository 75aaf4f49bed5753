import { readFileSync } from 'node:fs'

/** The one child of a process that starts only one; undefined while it has none, or where the system does not tell. */
export function onlyChild(pid: number | undefined): number | undefined {
  if (pid === undefined) return undefined
  try {
    const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ')
    return child === undefined || child === '' ? undefined : Number(child)
  } catch {
    return undefined // It has ended, or the kernel does not list children.
  }
}
