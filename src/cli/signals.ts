import { SIGNAL_EXITS } from './exit-codes.ts'

let stop: AbortController | undefined

/**
 * Ends the process at once, with the exit code a shell expects, when a signal asks for it. Every worker and
 * every command in it ends with the process.
 */
export function exitOnSignals(): void {
  for (const [signal, code] of Object.entries(SIGNAL_EXITS)) {
    process.on(signal, () => {
      if (stop === undefined || stop.signal.aborted) process.exit(code)
      stop.abort()
    })
  }
}

/** From now on the first signal to end is told to this one, for what has to stop in order; a second ends the process. */
export function stopOnSignal(): AbortSignal {
  stop ??= new AbortController()
  return stop.signal
}
