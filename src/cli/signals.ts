import { SIGNAL_EXITS } from './exit-codes.ts'

/**
 * Ends the process at once, with the exit code a shell expects, when a signal asks for it. Every worker and
 * every command in it ends with the process.
 */
export function exitOnSignals(): void {
  for (const [signal, code] of Object.entries(SIGNAL_EXITS)) process.once(signal, () => process.exit(code))
}
