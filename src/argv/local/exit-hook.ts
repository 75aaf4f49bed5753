const cleanups = new Set<() => void>()

/**
 * Runs a cleanup when this thread's process ends, unless it is taken back before. The last one comes first: programs
 * end before the directory they write to goes.
 *
 * @returns how to take it back
 */
export function atExit(cleanup: () => void): () => void {
  if (cleanups.size === 0) process.on('exit', cleanUp)
  cleanups.add(cleanup)
  return () => {
    cleanups.delete(cleanup)
    if (cleanups.size === 0) process.off('exit', cleanUp)
  }
}

function cleanUp(): void {
  for (const cleanup of [...cleanups].reverse()) {
    try {
      cleanup()
    } catch {
      // The process ends: an error cannot be reported, and the other hooks must run.
    }
  }
}
