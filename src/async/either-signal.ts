import { watchSignal } from './watch-signal.ts'

/**
 * Uses a signal that is aborted as soon as one of others is, with its reason. `AbortSignal.any` refuses those of another realm
 * or of a library, and holds what it made for as long as a source lives.
 */
export async function withEither<T>(
  sources: readonly AbortSignal[],
  use: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const either = new AbortController()
  const stops = sources.map((source) => watchSignal(source, () => either.abort(source.reason)))
  try {
    return await use(either.signal)
  } finally {
    for (const stop of stops) stop()
  }
}
