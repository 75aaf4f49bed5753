// One measurement of the hosting scenario, in a process of its own: prints an object of figures.
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { resolveEngine } from '../src/engines/strands/resolve-engine.ts'
import { type Isolation, ShellHost, type StrandsShellSandbox } from '../src/index.ts'
import { median } from './statistics.ts'
import { delayWhile, timed } from './timed.ts'

const [name = '', countText = ''] = process.argv.slice(2)
const count = Number(countText)
const mebibyte = 2 ** 20
const compute = 'i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done | cat'

function makeHost(isolation: Isolation, more: object = {}): ShellHost {
  return new ShellHost({ isolation, maxSandboxes: 20_000, maxQueued: 20_000, ...more })
}

function openMany(host: ShellHost): Promise<StrandsShellSandbox[]> {
  return Promise.all(Array.from({ length: count }, () => host.open()))
}

async function useOne(host: ShellHost): Promise<void> {
  const sandbox = await host.open()
  await sandbox.execute('echo a')
  await sandbox.close()
}

/** Memory of many live sandboxes beyond a host that has none; a round of commands on each. */
async function live(isolation: Isolation): Promise<Record<string, number>> {
  const host = makeHost(isolation)
  await useOne(host)
  await sleep(500)
  const before = process.memoryUsage.rss()
  let sandboxes: StrandsShellSandbox[] = []
  const open = await timed(async () => {
    sandboxes = await openMany(host)
  })
  const rounds: number[] = []
  const round = () => Promise.all(sandboxes.map((sandbox) => sandbox.execute('echo a')))
  for (let made = 0; made < 5; made++) rounds.push(await timed(round))
  await sleep(500)
  const rss = (process.memoryUsage.rss() - before) / count / mebibyte
  await host.close()
  const roundBaseline = isolation === 'shared' ? await rawRound() : Number.NaN
  const roundOurs = median(rounds)
  return { rss, open, round: roundBaseline / roundOurs, roundOurs, roundBaseline }
}

/** A round of commands on as many raw shells in one bare worker. */
async function rawRound(): Promise<number> {
  const { source } = await resolveEngine()
  const code = `
    const { parentPort, workerData } = require('node:worker_threads')
    const { ShellBuilder } = require(workerData.addon)
    const rounds = []
    Promise.all(Array.from({ length: workerData.count }, () => new ShellBuilder().build())).then(async (shells) => {
      for (let made = 0; made < 5; made++) {
        const start = performance.now()
        await Promise.all(shells.map((shell) => shell.run('echo a')))
        rounds.push(performance.now() - start)
      }
      parentPort.postMessage(rounds)
    })`
  const worker = new Worker(code, {
    eval: true,
    execArgv: [],
    env: {},
    workerData: { addon: source.path, count },
  })
  const [rounds] = (await once(worker, 'message')) as [number[]]
  await worker.terminate()
  return median(rounds)
}

/** Open, one command, close: with recycling, and on a new worker each time. */
async function churn(): Promise<Record<string, number>> {
  const host = makeHost('shared')
  await useOne(host)
  let left = count
  const spent = await timed(() =>
    Promise.all(
      Array.from({ length: 4 }, async () => {
        while (left-- > 0) await useOne(host)
      }),
    ),
  )
  const shared = spent / count
  await host.close()
  const cold = makeHost('worker', { maxIdleWorkers: 0 })
  const times: number[] = []
  for (let made = 0; made < 15; made++) times.push(await timed(() => useOne(cold)))
  await cold.close()
  return { shared, ratio: median(times) / shared, ratioOurs: shared, ratioBaseline: median(times) }
}

/** Opening on a warm place. */
async function warm(): Promise<Record<string, number>> {
  const figures: Record<string, number> = {}
  for (const isolation of ['worker', 'shared'] as const) {
    const host = makeHost(isolation, { warm: 2 })
    const times: number[] = []
    for (let made = 0; made < count; made++) {
      while (host.stats().idle === 0 || host.stats().leased > 0) await sleep(5)
      let sandbox: StrandsShellSandbox | undefined
      times.push(
        await timed(async () => {
          sandbox = await host.open()
        }),
      )
      await sandbox?.close()
    }
    figures[isolation] = median(times)
    await host.close()
  }
  return figures
}

/** Event-loop delay while sandboxes compute. */
async function load(): Promise<Record<string, number>> {
  const host = makeHost('shared')
  const sandboxes = await openMany(host)
  await sleep(200)
  const delay = await delayWhile(() => Promise.all(sandboxes.map((sandbox) => sandbox.execute(compute))))
  await host.close()
  return delay
}

/** The same in a shell that computes in the caller's own thread. */
async function loadOfPeer(): Promise<Record<string, number>> {
  const { Bash } = await import('just-bash')
  const limits = { maxLoopIterations: 1e6, maxCommandCount: 1e6 }
  const shells = Array.from({ length: count }, () => new Bash({ executionLimits: limits }))
  return delayWhile(() => Promise.all(shells.map((shell) => shell.exec(compute))))
}

/** Speed and event-loop delay of a host with `count` running sandboxes for each core. */
async function running(): Promise<Record<string, number>> {
  const agents = 256
  const host = makeHost('shared', { maxRunning: count * availableParallelism() })
  const sandboxes = await Promise.all(Array.from({ length: agents }, () => host.open()))
  const all = (command: string) => Promise.all(sandboxes.map((sandbox) => sandbox.execute(command)))
  const echo = await timed(() => all('echo a'))
  const waits = await timed(() => all('sleep 0.1'))
  const delay = await delayWhile(() => all('i=0; while [ $i -lt 4000 ]; do i=$((i + 1)); done'))
  await host.close()
  return { echo, waits, compute: delay.spent, p99: delay.p99, max: delay.max }
}

/** Resident memory after many sandboxes were closed and many dropped, to that after the first tenth. */
async function settle(): Promise<Record<string, number>> {
  const host = makeHost('shared')
  const close = async (total: number) => {
    let left = total
    const work = async () => {
      while (left-- > 0) await useOne(host)
    }
    await Promise.all(Array.from({ length: 8 }, work))
  }
  const settled = async () => {
    await sleep(2000)
    return process.memoryUsage.rss() / mebibyte
  }
  await close(count / 10)
  const first = await settled()
  await close((count * 9) / 10)
  for (let made = 0; made < count / 5; made++) await (await host.open()).execute('true')
  const last = await settled()
  await host.close()
  return { ratio: last / first, first, last }
}

const measurements: Readonly<Record<string, () => Promise<Record<string, number>>>> = {
  shared: () => live('shared'),
  worker: () => live('worker'),
  churn,
  warm,
  load,
  loadOfPeer,
  running,
  settle,
}

console.log(JSON.stringify(await measurements[name]?.()))
process.exit()
