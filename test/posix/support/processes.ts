import { execFileSync } from 'node:child_process'
import { randomInt } from 'node:crypto'

/** Seconds to sleep that no other process sleeps: a `sleep` that can be told from all others. */
export function uniqueSleep(): string {
  return `${4000 + randomInt(1000)}.${randomInt(1_000_000_000)}`
}

/** How many processes have this text among their arguments. */
export function countRunning(text: string): number {
  const lines = execFileSync('ps', ['-eo', 'stat=,args=']).toString().split('\n')
  return lines.filter((line) => !line.startsWith('Z') && line.includes(text)).length
}

/** The children of this process, zombies too, without the `ps` that looks. */
export function childrenHere(): string[] {
  const lines = execFileSync('ps', ['-eo', 'ppid=,args=']).toString().split('\n')
  return lines.filter((line) => line.trim().startsWith(`${process.pid} `) && !line.includes('ps -eo'))
}
