/** Waits until all have ended, so that none outlives its test. @throws what the first of those that failed has thrown */
export async function allEnded(promises: readonly Promise<unknown>[]): Promise<void> {
  const ends = await Promise.allSettled(promises)
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}

/** What a test awaits later. Where the test fails before, its rejection is nobody's. */
export function held<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined) // Who awaits it is told.
  return promise
}
