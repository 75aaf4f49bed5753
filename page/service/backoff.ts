/** Milliseconds before the first further attempt, and before each of many. */
const least = 250
const most = 5_000

/** Waits before a further attempt: longer each time, at most five seconds. Resolves at once when the signal is aborted. */
export function nextDelay(attempt: number, signal: AbortSignal): Promise<void> {
  const time = Math.min(most, least * 2 ** attempt) * (0.75 + Math.random() / 2)
  return new Promise((resolve) => {
    const timer = setTimeout(done, time)
    function done() {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    signal.addEventListener('abort', done)
  })
}
