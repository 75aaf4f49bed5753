import { readdirSync, readFileSync } from 'node:fs'

/** Resident memory of a process, without a name of this one, and its descendants, in MiB. */
export function residentMemory(pid?: string): number {
  return descendants(pid).reduce((total, one) => total + residentOf(one), 0)
}

/** A process, without a name this one, and those that it and they have started. */
export function descendants(pid = 'self'): readonly string[] {
  return treeOf(pid)
}

function treeOf(pid: string): string[] {
  const threads = orGone(() => readdirSync(`/proc/${pid}/task`), [])
  const children = threads.flatMap((thread) =>
    readProc(`${pid}/task/${thread}/children`).trim().split(' ').filter(Boolean),
  )
  return [pid, ...children.flatMap(treeOf)]
}

/** 0 for one that has ended. */
function residentOf(pid: string): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readProc(`${pid}/status`))?.[1] ?? 0) / 1024
}

function readProc(path: string): string {
  return orGone(() => readFileSync(`/proc/${path}`, 'utf8'), '')
}

/** `gone` where the thread or process ended meanwhile. */
function orGone<T>(read: () => T, gone: T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH'))
      return gone
    throw error
  }
}
