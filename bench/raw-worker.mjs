// The baseline: the addon's own calls, awaited on the thread that makes them, with nothing around.
import { createRequire } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import { Bench } from 'tinybench'

const { ShellBuilder } = createRequire(import.meta.url)(workerData.addon)
const shell = await new ShellBuilder().build()
const content = new Uint8Array(8 * 1024 * 1024).fill(65)
const works = {
  run: () => shell.run('true'),
  writeFile: () => shell.writeFile('/tmp/big', content),
  readFile: () => shell.readFile('/tmp/big'),
}

parentPort.on('message', async ({ work, iterations, warmup }) => {
  const bench = new Bench({
    time: 0,
    iterations,
    warmup: warmup > 0,
    warmupTime: 0,
    warmupIterations: warmup,
    throws: true,
  })
  bench.add(work, works[work])
  const [task] = await bench.run()
  parentPort.postMessage({ p50: task.result.latency.p50, mean: task.result.latency.mean })
})
parentPort.postMessage('ready')
