import { constants } from 'node:os'
import type { ClientStatus } from './client.ts'

/** The number of a signal. */
export function signalNumber(signal: NodeJS.Signals): number {
  return constants.signals[signal]
}

/** How a process ended, in words. */
export function describeEnd({ code, signal }: ClientStatus): string {
  return signal === null ? `ended with exit code ${code}` : `was killed by ${signal}`
}
