import { vi } from 'vitest'
import type { MatrixEngine } from './engines.ts'
import type { Fault } from './faults.ts'

/** Seconds after which the session of a file operation that does not end is lost. */
const allowance = 62

/** File operations that never end: their time passes on the host's clock, at once. */
export function endlessFiles({ endsThreads }: Pick<MatrixEngine, 'endsThreads'>): Fault {
  return {
    name: 'engine file operation that never ends',
    levels: ['worker', 'shared', 'process'],
    excluded: 'all but file operations',
    error: 'WORKER_LOST DEADLINE_IGNORED',
    takes: endsThreads ? 'worker' : 'session',
    told: { seconds: allowance + 1, when: 'after 62 s' },
    only: ['file write', 'file read'],
    config: { timeout: 1 },
    // Where its thread ends with it, each has one of its own.
    ...(endsThreads ? { host: { sandboxesPerWorker: 1 } } : {}),
    strike: async (scenes, begin) => {
      const ends = scenes.map(begin)
      vi.advanceTimersByTime(allowance * 1000 + 100)
      await Promise.all(ends)
      vi.useRealTimers()
    },
  }
}

/** Stops the clock by which calls are overdue. */
export function stopClock(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
}
