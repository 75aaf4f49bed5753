const watched = new WeakMap<AbortSignal, Set<() => void>>()

/**
 * Calls `listener` once when the signal is aborted, at once if it is already. However many calls watch a
 * signal, it gets one listener, and none is left when the last of them has ended.
 *
 * @returns how to stop watching
 */
export function watchSignal(signal: AbortSignal, listener: () => void): () => void {
  if (signal.aborted) {
    listener()
    return () => undefined
  }
  const listeners = watched.get(signal) ?? watch(signal)
  const entry = () => listener()
  listeners.add(entry)
  return () => {
    // Stopping twice must not end the watch of calls that came later.
    if (listeners.delete(entry) && listeners.size === 0) unwatch(signal)
  }
}

const handlers = new WeakMap<AbortSignal, () => void>()

function watch(signal: AbortSignal): Set<() => void> {
  const listeners = new Set<() => void>()
  const handler = () => {
    unwatch(signal)
    for (const listener of listeners) listener()
  }
  watched.set(signal, listeners)
  handlers.set(signal, handler)
  signal.addEventListener('abort', handler, { once: true })
  return listeners
}

function unwatch(signal: AbortSignal): void {
  const handler = handlers.get(signal)
  if (handler !== undefined) signal.removeEventListener('abort', handler)
  handlers.delete(signal)
  watched.delete(signal)
}
