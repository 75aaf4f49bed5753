import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ShellHost } from '../../../../../src/index.ts'
import { byTier } from '../../../../support/tier.ts'

/** What a script prints and answers in bash, as {@link bash} runs it. */
export function inBash(script: string): { readonly exitCode: number | null; readonly stdout: string } {
  const { exitCode, stdout } = bash(script)
  return { exitCode, stdout }
}

/** Runs a script in bash, in a directory of its own and with an empty input. */
export function bash(script: string) {
  const directory = mkdtempSync(join(tmpdir(), 'differential-'))
  try {
    const env = { PATH: process.env['PATH'] ?? '', LC_ALL: 'C.UTF-8', HOME: directory }
    const options = { cwd: directory, encoding: 'utf8', env } as const
    const { status, stdout, stderr } = spawnSync('/bin/bash', ['--norc', '-c', script], options)
    return { exitCode: status, stdout, stderr }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** What every command of {@link unlikeBash} finds. */
const FILES =
  "printf 'b\\na\\nc x\\n' > f; printf 'x1\\n' > g; mkdir -p d; printf 'a d\\n' > d/h; printf 'f\\ng\\n' > list; "

/** Runs a command where there are some files, in a session of its own. */
export async function withFiles(host: ShellHost, command: string) {
  await using sandbox = await host.open()
  await sandbox.execute(`mkdir /tmp/w; cd /tmp/w; ${FILES}`)
  const { exitCode, stdout, stderr } = await sandbox.execute(command)
  return { exitCode, stdout, stderr }
}

/** The commands that print or answer something else than in bash. The full tier compares all of them, others every sixth. */
export async function unlikeBash(host: ShellHost, commands: readonly string[]): Promise<unknown[]> {
  const others: unknown[] = []
  for (const [index, command] of commands.entries()) {
    if (index % byTier({ default: 6, full: 1 }) !== 0) continue
    const expected = inBash(FILES + command)
    const found = await withFiles(host, command)
    if (found.exitCode !== expected.exitCode || found.stdout !== expected.stdout)
      others.push({ command, expected, ...found })
  }
  return others
}
