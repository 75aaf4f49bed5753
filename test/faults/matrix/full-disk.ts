import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { resolveEngine } from '../../../src/engines/strands/resolve-engine.ts'
import { runChild } from '../run-child.ts'
import type { GroupResult } from './run-group.ts'

/** What a process saw whose cache of the engine was on a full disk: by isolation level. */
export interface FullDiskResult {
  /** How opening went for a sandbox that had a place, and for one that waited for it. */
  readonly opened: readonly (readonly [string, string])[]
  /** With the disk full once sandboxes were open. */
  readonly groups: readonly GroupResult[]
}

/** Runs a process with a small file system for its cache, or says why that cannot be. */
export async function runOnFullDisk(directory: string): Promise<FullDiskResult | string> {
  if ((await resolveEngine()).how !== 'weak-copy') return 'the engine loads here as it is: there is no cache'
  const mount = join(directory, 'mount')
  mkdirSync(mount)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m,mode=700', 'tmpfs', mount], { stdio: 'ignore' })
  } catch {
    return 'nothing can be mounted here' // Not root, or a container that may not mount.
  }
  try {
    const env = { STRANDS_SHELL_RUNTIME_CACHE: join(mount, 'cache') }
    const { stdout, stderr } = await runChild('matrix-full-disk', [mount, directory], 120, env)
    if (stderr !== '') throw new Error(stderr)
    return JSON.parse(stdout)
  } finally {
    execFileSync('umount', ['-l', mount])
  }
}
