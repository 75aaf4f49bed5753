import childProcess from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'
import workerThreads from 'node:worker_threads'
import { afterAll, vi } from 'vitest'

/** What a unit test may not start: a test that does belongs to another project of `vitest.config.ts`. */
function refuse(what: string) {
  return function refused(): never {
    throw new Error(
      `A unit test may not use ${what}. Take its file out of the unit project in vitest.config.ts.`,
    )
  }
}

const starters = ['spawn', 'spawnSync', 'exec', 'execSync', 'execFile', 'execFileSync', 'fork'] as const
for (const name of starters) Reflect.set(childProcess, name, refuse(`child_process.${name}`))
Reflect.set(workerThreads, 'Worker', refuse('worker_threads.Worker'))
syncBuiltinESMExports()

// The files of a process share its globals: the next one begins with the real clock.
afterAll(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})
