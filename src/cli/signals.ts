import { SIGNAL_EXITS } from './exit-codes.ts'

/** What ends the program where a signal asked for it. */
export class Stopped extends Error {
  /** What the program exits with. */
  readonly exitCode: number

  constructor(exitCode: number) {
    super('A signal asked this program to end.')
    this.exitCode = exitCode
  }
}

let stop: AbortController | undefined

/**
 * Ends the process at once, with the exit code a shell expects, when a signal asks for it. Every worker and
 * every command in it ends with the process.
 */
export function exitOnSignals(): void {
  for (const [signal, code] of Object.entries(SIGNAL_EXITS)) {
    process.on(signal, () => {
      if (stop === undefined || stop.signal.aborted) process.exit(code)
      stop.abort(new Stopped(code))
    })
  }
}

/**
 * From now on the first signal to end is told to this one, with a {@link Stopped} as its reason, for what has to stop in order; a
 * second ends the process.
 */
export function stopOnSignal(): AbortSignal {
  stop ??= new AbortController()
  return stop.signal
}
