import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openShell } from '../open-shell.ts'

export const BASH = '/bin/bash'

export interface Result {
  readonly stdout: string
  /** Null where the script did not end. */
  readonly exitCode: number | null
}

/** What a script gives in the bash of this machine, in a fresh directory. */
export function inBash(script: string): Result {
  const cwd = mkdtempSync(join(tmpdir(), 'beside-bash-'))
  try {
    const env = { PATH: '/usr/bin:/bin', HOME: '/home/user', LC_ALL: 'C', TZ: 'UTC' }
    const { stdout, status } = spawnSync(BASH, ['-c', script], {
      cwd,
      env,
      input: '',
      encoding: 'utf8',
      timeout: 10_000,
    })
    return { stdout, exitCode: status }
  } finally {
    rmSync(cwd, { recursive: true, force: true })
  }
}

/** What it gives in a fresh shell of the engine. */
export async function inEngine(script: string): Promise<Result & { readonly stderr: string }> {
  const shell = await openShell({
    cwd: '/tmp/generated',
    env: [
      ['LC_ALL', 'C'],
      ['TZ', 'UTC'],
    ],
  })
  const outcome = await shell.run({ command: script })
  if (!outcome.ok) throw new Error(outcome.error.message)
  const { stdout, stderr, exitCode } = outcome.value
  return { stdout, stderr, exitCode }
}
