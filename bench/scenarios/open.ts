import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { resolveEngine } from '../../src/host/engine/resolve-engine.ts'
import { ShellHost, StrandsShellSandbox } from '../../src/index.ts'
import { median, type Scenario } from '../scenario.ts'

const bare = `
const { parentPort, workerData } = require('node:worker_threads')
const { ShellBuilder } = require(workerData)
new ShellBuilder().build().then((shell) => shell.run('true')).then((result) => parentPort.postMessage(result.status))`

/** Open to first result: on a new worker against a bare worker and one native build, and on a recycled one. */
export const open: Scenario = {
  name: 'open',
  run: async (effort) => {
    const rounds = Math.ceil(25 * effort)
    const { source } = await resolveEngine()
    await using fresh = new ShellHost({ isolation: 'worker', maxIdleWorkers: 0 })
    await using recycling = new ShellHost({ isolation: 'worker' })
    const cold: number[] = []
    const baseline: number[] = []
    for (let round = 0; round < rounds; round++) {
      cold.push(await openAndRun(fresh))
      baseline.push(await bareWorker(source.path))
    }
    const recycled: number[] = []
    await openAndRun(recycling)
    for (let round = 0; round < rounds; round++) recycled.push(await openAndRun(recycling))
    return [
      {
        name: 'open, new worker / bare Worker + native build',
        ours: median(cold),
        baseline: median(baseline),
        unit: 'ms',
        judged: median(cold) / median(baseline),
        target: { most: 1.5 },
      },
      {
        name: 'open, recycled worker',
        ours: median(recycled),
        unit: 'ms',
        judged: median(recycled),
        target: { most: 5 },
      },
    ]
  },
}

async function openAndRun(host: ShellHost): Promise<number> {
  const start = performance.now()
  const sandbox = new StrandsShellSandbox({}, { host })
  await sandbox.execute('true')
  const elapsed = performance.now() - start
  await sandbox.close()
  return elapsed
}

async function bareWorker(addon: string): Promise<number> {
  const start = performance.now()
  const worker = new Worker(bare, { eval: true, execArgv: [], env: {}, workerData: addon })
  await once(worker, 'message')
  const elapsed = performance.now() - start
  await worker.terminate()
  return elapsed
}
