// npx tsx bench/floors.ts: what bare worker threads around the engine take, with nothing of this package. No build of it can take less.
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import { resolveEngine } from '../src/engines/strands/resolve-engine.ts'
import { residentMemory } from './resident.ts'

interface Addon {
  readonly ShellBuilder: new () => {
    build(): Promise<{
      run(command: string): Promise<unknown>
      writeFile(path: string, content: Uint8Array): Promise<void>
    }>
  }
}

/** Each port has a shell, which runs its commands one after another: two at once would run in any order. */
const code = `
const { parentPort, workerData } = require('node:worker_threads')
const { ShellBuilder } = require(workerData)
parentPort.on('message', async (port) => {
  const shell = await new ShellBuilder().build()
  let last = Promise.resolve()
  port.on('message', (command) => {
    last = last.then(() => shell.run(command)).then(() => port.postMessage(0))
  })
  port.postMessage(0)
})`

const { source } = await resolveEngine()
const { ShellBuilder }: Addon = createRequire(import.meta.url)(source.path)

/** The median of what `measure` gives, in turns. */
async function medians(measures: readonly (() => Promise<number>)[], rounds: number): Promise<number[]> {
  const all: number[][] = measures.map(() => [])
  for (let round = 0; round < rounds; round++)
    for (const [index, measure] of measures.entries()) all[index]?.push(await measure())
  return all.map((times) => times.sort((a, b) => a - b)[rounds >> 1] ?? Number.NaN)
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await act()
  return performance.now() - start
}

function start(): Worker {
  return new Worker(code, { eval: true, workerData: source.path, env: {}, execArgv: [] })
}

async function portTo(worker: Worker): Promise<MessagePort> {
  const { port1, port2 } = new MessageChannel()
  worker.postMessage(port2, [port2])
  await once(port1, 'message')
  return port1
}

async function answers(port: MessagePort, count: number): Promise<void> {
  await new Promise<void>((resolve) => {
    let left = count
    const answered = () => {
      if (--left > 0) return
      port.off('message', answered)
      resolve()
    }
    port.on('message', answered)
    for (let sent = 0; sent < count; sent++) port.postMessage('true')
  })
}

const ratio = (ours: number, raw: number) => (ours / raw).toFixed(2)

const workers = [start(), start()]
const [worker = start()] = workers
const port = await portTo(worker)
const shell = await new ShellBuilder().build()
const [inOrder = 0, inFlight = 0] = await medians(
  [
    () =>
      timed(async () => {
        for (let command = 0; command < 512; command++) await shell.run('true')
      }),
    () =>
      timed(async () => {
        for (let sent = 0; sent < 512; sent += 64) await answers(port, 64)
      }),
  ],
  9,
)
console.log(
  `${ratio(inOrder, inFlight)}x the throughput of the engine in order: 64 in flight to a bare worker`,
)

const shells = await Promise.all(Array.from({ length: 1000 }, () => new ShellBuilder().build()))
const ports = await Promise.all(
  Array.from({ length: 1000 }, (_, index) => portTo(workers[index % 2] ?? worker)),
)
const [rawRound = 0, round = 0] = await medians(
  [
    () => timed(() => Promise.all(shells.map((one) => one.run('echo a')))),
    () => timed(() => Promise.all(ports.map((one) => answers(one, 1)))),
  ],
  7,
)
console.log(
  `${ratio(rawRound, round)}x the throughput of the engine: a command on each of 1000 shells of two bare workers`,
)

const content = new Uint8Array(8 * 2 ** 20).fill(97)
const copy = new Uint8Array(content.length)
const [rawWrite = 0, copied = 0] = await medians(
  [() => timed(() => shell.writeFile('/tmp/f', content)), async () => timed(async () => copy.set(content))],
  31,
)
console.log(`${ratio(rawWrite + copied, rawWrite)}x the time of the engine: 8 MiB copied once and written`)

const before = residentMemory()
for (let count = 0; count < 20; count++) await answers(await portTo(start()), 1)
console.log(
  `${((residentMemory() - before) / 20).toFixed(2)} MiB each of 20 bare workers with a shell that has run a command`,
)
const inProcess = `new (require(${JSON.stringify(source.path)}).ShellBuilder)().build().then((shell) => shell.run('echo a')).then(() => process.exit())`
const inWorker = `new (require('node:worker_threads').Worker)(${JSON.stringify(inProcess)}, { eval: true, env: {}, execArgv: [] }).on('exit', () => process.exit())`
const runs = ['0', inProcess, inWorker].map(
  (script) => () => timed(async () => execFileSync(process.execPath, ['-e', script])),
)
const [empty = 0, rawProcess = 0, worked = 0] = await medians(runs, 15)
console.log(
  `${ratio(worked, rawProcess)}x the time of the engine in a new process (${ratio(empty, rawProcess)}x: an empty process): a bare worker in a new process`,
)
process.exit()
