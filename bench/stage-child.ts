// Runs one scenario on one contender, in a process of its own; the raw engine runs in a worker of that process.
import { fileURLToPath } from 'node:url'
import { isMainThread, Worker } from 'node:worker_threads'
import { isContender } from './contenders/contender.ts'
import { loadContender } from './contenders/load.ts'
import type { Scenario } from './scenario.ts'
import { scenarios } from './scenarios/index.ts'
import { serveRounds } from './serve-rounds.ts'

const [contenderName = '', scenarioName = '', effort = '1'] = process.argv.slice(2)

if (contenderName === 'raw' && isMainThread) serveFromWorker()
else await serve()

function serveFromWorker(): void {
  const worker = new Worker(fileURLToPath(import.meta.url), { argv: process.argv.slice(2), execArgv: [] })
  worker.on('message', (reply) => process.send?.(reply))
  worker.on('exit', () => process.exit())
  process.on('message', (message) => worker.postMessage(message))
}

async function serve(): Promise<void> {
  const scenario: Scenario | undefined = scenarios.find(({ name }) => name === scenarioName)
  if (scenario === undefined || !isContender(contenderName))
    throw new Error(`No ${contenderName} in ${scenarioName}.`)
  serveRounds(scenario.measure(await loadContender(contenderName), Number(effort)))
}
