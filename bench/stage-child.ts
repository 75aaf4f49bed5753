// One contender at one scenario, in a process of its own; the raw engine in a worker of that process. Answers every
// 'round' with what the round gave, and ends at 'end'.
import { fileURLToPath } from 'node:url'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import { Cannot, isContender } from './contenders/contender.ts'
import { loadContender } from './contenders/load.ts'
import type { Scenario } from './scenario.ts'
import { scenarios } from './scenarios/index.ts'
import type { RoundReply } from './stage.ts'

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
  const rounds = scenario.measure(await loadContender(contenderName), Number(effort))
  const answer = async (message: unknown) => {
    if (message === 'round') return reply(await nextRound(rounds))
    await rounds.return()
    process.exit()
  }
  if (parentPort === null) process.on('message', answer)
  else parentPort.on('message', answer)
}

async function nextRound(rounds: ReturnType<Scenario['measure']>): Promise<RoundReply> {
  try {
    const { value } = await rounds.next()
    return value === undefined ? { failed: 'no more rounds' } : { samples: value }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return error instanceof Cannot ? { cannot: message } : { failed: message }
  }
}

function reply(message: RoundReply): void {
  if (parentPort === null) process.send?.(message)
  else parentPort.postMessage(message)
}
