import { readFileSync } from 'node:fs'
import { availableParallelism, totalmem } from 'node:os'
import type { Finding } from './report.ts'

/** What this process may use of the machine. */
export function limitFindings(): Finding[] {
  return [
    { label: 'cores', text: String(availableParallelism()) },
    { label: 'memory', text: memoryText(totalmem(), process.constrainedMemory()) },
    { label: 'limits', text: limitsText(readLimits()) },
  ]
}

/** Without a control group's bound Node gives 0, or a number beyond all memory. */
function memoryText(total: number, constrained: number): string {
  const bound = constrained > 0 && constrained < total ? `, of which ${gibibytes(constrained)} for it` : ''
  return `${gibibytes(total)}${bound}`
}

function gibibytes(bytes: number): string {
  return `${(bytes / 1024 ** 3).toFixed(1)} GiB`
}

const limits = {
  'Max address space': 'address space',
  'Max open files': 'open files',
  'Max processes': 'threads',
}

/** The soft limits in the system's own table. */
function limitsText(table: string): string {
  const found = Object.entries(limits).flatMap(([name, label]) => {
    const value = new RegExp(`^${name}\\s+(\\S+)`, 'm').exec(table)?.[1]
    return value === undefined ? [] : [`${label} ${value}`]
  })
  return found.length === 0 ? 'not known on this platform' : found.join(', ')
}

function readLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'latin1')
  } catch {
    return '' // No Linux: the system keeps no such table.
  }
}
