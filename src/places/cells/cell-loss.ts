import type { LossData } from '../../contract/errors.ts'
import { exhaustionCode, withRemedy } from '../../sandbox/exhaustion.ts'
import type { Death } from './cell-process.ts'

const mebibyte = 2 ** 20

/** How a cell's end reads where nothing else has told its cause. */
export function lossOfDeath({ code, signal, failure }: Death): LossData {
  if (failure !== undefined) {
    // Where the system has no more files or processes, the host is what lacks them.
    const code = exhaustionCode(failure) === undefined ? 'CELL_EXITED' : 'WORKER_FAILED'
    return { code, message: `The cell could not be started: ${withRemedy(failure)}` }
  }
  const how = signal === null ? `exited with code ${code}` : `was ended by ${signal}`
  return { code: 'CELL_EXITED', message: `The cell ${how}.` }
}

/** A cell was killed for its memory; both in bytes. */
export function memoryLoss(held: number, most: number): LossData {
  const message = `The cell was killed: it held ${Math.round(held / mebibyte)} MiB (maxCellMemory: ${Math.round(most / mebibyte)} MiB).`
  return { code: 'CELL_MEMORY', message }
}

/** The system killed a cell for its memory. @param most - bytes */
export function outOfMemory(most: number): LossData {
  const message = `The system killed the cell: it held more memory than maxCellMemory (${Math.round(most / mebibyte)} MiB).`
  return { code: 'CELL_MEMORY', message }
}

/** A cell was killed because it did not answer. */
export function stallLoss(seconds: number): LossData {
  return { code: 'CELL_STALLED', message: `The cell was killed: it had not answered for ${seconds} s.` }
}
