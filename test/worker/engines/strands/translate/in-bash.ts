import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What bash makes of a script, in a directory of its own and with an empty input. */
export function inBash(script: string): { readonly exitCode: number | null; readonly stdout: string } {
  const directory = mkdtempSync(join(tmpdir(), 'differential-'))
  try {
    const env = { PATH: process.env['PATH'] ?? '', LC_ALL: 'C.UTF-8', HOME: directory }
    const options = { cwd: directory, encoding: 'utf8', env } as const
    const { status, stdout } = spawnSync('/bin/bash', ['--norc', '-c', script], options)
    return { exitCode: status, stdout }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
