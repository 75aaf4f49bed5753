import { posix } from 'node:path'
import { below } from '../real-path.ts'
import type { HostBind } from './bridged-sandbox.ts'

/** The host's path of a directory of a sandbox; undefined where it is in no bind, or in a copy. */
export function hostPathOf(directory: string, binds: readonly HostBind[]): string | undefined {
  const [bind] = binds
    .filter(({ destination }) => below(posix.resolve(destination), directory) !== undefined)
    .sort((a, b) => b.destination.length - a.destination.length)
  if (bind === undefined || bind.mode === 'copy') return undefined
  return posix.join(bind.source, below(posix.resolve(bind.destination), directory) ?? '.')
}
