import { readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { identify } from '../stop/processes.ts'

const PREFIX = 'strands-jail-'

let swept = false

/** What directories of this process begin with: its number, and when it was started. */
export function directoryPrefix(): string {
  return `${PREFIX}${process.pid}-${identify(process.pid)?.start ?? 0}-`
}

/** Removes, once a thread, what processes left behind that were killed. */
export function sweep(): void {
  if (swept) return
  swept = true
  for (const name of readdirSync(tmpdir())) {
    const [, pid, start] = /^strands-jail-(\d+)-(\d+)-/.exec(name) ?? []
    if (pid === undefined || identify(Number(pid))?.start === Number(start)) continue
    try {
      rmSync(join(tmpdir(), name), { recursive: true, force: true })
    } catch {
      // It belongs to another user.
    }
  }
}
