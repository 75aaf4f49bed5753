import { execFileSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'

/** Seconds to sleep that no other process sleeps: a `sleep` that can be told from all others. */
export function uniqueSleep(): string {
  return `${4000 + randomInt(1000)}.${randomInt(1_000_000_000)}`
}

/** How many processes have this text among their arguments. Zombies have no arguments. */
export function countRunning(text: string): number {
  return readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && argumentsOf(pid).includes(text)).length
}

function argumentsOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return '' // It has ended.
  }
}

/** The children of this process, zombies too, without the `ps` that looks. */
export function childrenHere(): string[] {
  const lines = execFileSync('ps', ['-eo', 'ppid=,args=']).toString().split('\n')
  return lines.filter((line) => line.trim().startsWith(`${process.pid} `) && !line.includes('ps -eo'))
}
