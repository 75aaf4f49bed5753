import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { resolveEngine } from '../src/host/engine/resolve-engine.ts'

/** Milliseconds a native call takes. */
export interface RawLatency {
  readonly p50: number
  readonly mean: number
}

/** A bare worker that makes native calls and measures them on its own thread. */
export class RawShell implements AsyncDisposable {
  readonly #worker: Worker

  private constructor(worker: Worker) {
    this.#worker = worker
  }

  static async open(): Promise<RawShell> {
    const { source } = await resolveEngine()
    const worker = new Worker(new URL('./raw-worker.mjs', import.meta.url), {
      execArgv: [],
      workerData: { addon: source.path },
    })
    await once(worker, 'message')
    return new RawShell(worker)
  }

  async measure(
    work: 'run' | 'writeFile' | 'readFile',
    options: { iterations: number; warmup?: number },
  ): Promise<RawLatency> {
    this.#worker.postMessage({ warmup: 0, ...options, work })
    const [latency] = (await once(this.#worker, 'message')) as [RawLatency]
    return latency
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.terminate()
  }
}
