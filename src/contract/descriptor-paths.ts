import { existsSync } from 'node:fs'

/** Where the kernel gives each open file a path. Node has no `openat`: paths through a directory's descriptor serve for it. */
export const DESCRIPTORS = '/proc/self/fd'

/** Whether open files have paths there: on Linux, where this process may look. */
export const hasDescriptorPaths: boolean = isThere(DESCRIPTORS)

function isThere(path: string): boolean {
  try {
    return existsSync(path)
  } catch {
    return false // Node 20 throws where its permission model does not allow the look.
  }
}
