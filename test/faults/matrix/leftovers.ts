import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import type { Worker } from 'node:worker_threads'
import { openFiles, ownCells } from '../../places/cells/children/cells-of.ts'
import { until } from '../basics.ts'
import { engineThreads } from '../helpers.ts'

/** Counts of what a process has. */
type Holdings = Readonly<Record<string, number>>

/** Handles that come and go with the test runner's own work. */
const ofRunner = /^(PipeWrap|TTYWrap|Immediate|FSReq.*|.*Req|.*ReqWrap|GetAddrInfo.*)$/

/** Watches what this process has, and what goes wrong in it without anybody being told. */
export class Leftovers {
  readonly #workers = new Set<Worker>()
  readonly #unheard: string[] = []
  readonly #before: Holdings
  readonly #stop: () => void

  constructor() {
    const onWorker = (worker: Worker) => {
      this.#workers.add(worker)
      worker.once('exit', () => this.#workers.delete(worker))
    }
    const onUnheard = (error: unknown) => this.#unheard.push(String(error))
    const onWarning = (warning: Error) => {
      if (warning.name === 'MaxListenersExceededWarning') this.#unheard.push(String(warning))
    }
    this.#before = this.#look()
    process.on('worker', onWorker)
    process.on('unhandledRejection', onUnheard)
    process.on('uncaughtExceptionMonitor', onUnheard)
    process.on('warning', onWarning)
    this.#stop = () => {
      process.off('worker', onWorker)
      process.off('unhandledRejection', onUnheard)
      process.off('uncaughtExceptionMonitor', onUnheard)
      process.off('warning', onWarning)
    }
  }

  /** Ends the watch. Resolves with what is more than before once nothing is, or after a while, and what went wrong. */
  async more(): Promise<{ readonly more: Holdings; readonly unheard: readonly string[] }> {
    this.#stop()
    await until(() => Object.keys(this.#more()).length === 0, 20).catch(() => undefined) // It is told.
    return { more: this.#more(), unheard: this.#unheard }
  }

  #more(): Holdings {
    const more = Object.entries(this.#look()).map(
      ([name, count]) => [name, count - (this.#before[name] ?? 0)] as const,
    )
    return Object.fromEntries(more.filter(([, count]) => count > 0))
  }

  #look(): Holdings {
    const counts: Record<string, number> = {
      workers: this.#workers.size,
      'threads of the engine': engineThreads(),
      cells: ownCells().length,
      'file descriptors': openFiles(),
      'temporary files': readdirSync(tmpdir()).length,
      listeners: process.eventNames().reduce((count, name) => count + process.listenerCount(name), 0),
    }
    for (const name of process.getActiveResourcesInfo()) {
      if (!ofRunner.test(name)) counts[name] = (counts[name] ?? 0) + 1
    }
    return counts
  }
}
