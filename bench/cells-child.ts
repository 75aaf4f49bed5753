// One measurement of the cells scenario, in a process of its own: prints an object of figures.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Isolation, ShellHost, type StrandsShellSandbox } from '../src/index.ts'
import { residentMemory } from './resident.ts'
import { median } from './statistics.ts'
import { timed } from './timed.ts'

const [name = '', countText = ''] = process.argv.slice(2)
const count = Number(countText)

/** The same work on a sandbox in a worker and on one in a cell, in turns: milliseconds of each. */
async function sideBySide(
  work: (sandbox: StrandsShellSandbox) => Promise<unknown>,
): Promise<Record<string, number>> {
  const levels: readonly Isolation[] = ['worker', 'process']
  const hosts = levels.map((isolation) => new ShellHost({ isolation }))
  const sandboxes = await Promise.all(hosts.map((host) => host.open()))
  for (const sandbox of sandboxes) for (let warm = 0; warm < 20; warm++) await work(sandbox)
  const times: [number[], number[]] = [[], []]
  for (let made = 0; made < count; made++) {
    for (const [level, sandbox] of sandboxes.entries()) times[level]?.push(await timed(() => work(sandbox)))
  }
  await Promise.all(hosts.map((host) => host.close()))
  const [worker, cell] = times.map(median)
  return { worker: worker ?? Number.NaN, cell: cell ?? Number.NaN }
}

/** One call at a time. */
const call = () => sideBySide((sandbox) => sandbox.execute('true'))

/** Calls with 64 in flight: 500 of them. */
const inFlight = () =>
  sideBySide((sandbox) => {
    let left = 500
    const work = async () => {
      while (left-- > 0) await sandbox.execute('true')
    }
    return Promise.all(Array.from({ length: 64 }, work))
  })

/** Opening in a running cell, and in a cell that is started for it. */
async function open(): Promise<Record<string, number>> {
  const live: number[] = []
  const fresh: number[] = []
  const host = new ShellHost({ maxCells: 1 })
  await (await host.open()).close()
  for (let made = 0; made < count; made++) {
    await sleep(20)
    let sandbox: StrandsShellSandbox | undefined
    live.push(
      await timed(async () => {
        sandbox = await host.open()
      }),
    )
    await sandbox?.close()
  }
  await host.close()
  for (let made = 0; made < Math.ceil(count / 5); made++) {
    await using cold = new ShellHost({ maxCells: 1 })
    fresh.push(await timed(() => cold.open()))
  }
  return { live: median(live), fresh: median(fresh) }
}

/** Memory of many sandboxes in two cells, without the cells themselves, in MiB. */
async function many(): Promise<Record<string, number>> {
  const host = new ShellHost({
    maxCells: 2,
    sandboxesPerCell: Math.ceil(count / 2),
    sandboxesPerWorker: Math.min(128, Math.ceil(count / 2)),
    maxQueued: count,
  })
  const first = await Promise.all([host.open(), host.open()])
  for (const sandbox of first) await sandbox.execute('echo a')
  await sleep(500)
  const before = residentMemory()
  const rest = await Promise.all(Array.from({ length: count - 2 }, () => host.open()))
  for (const sandbox of rest) await sandbox.execute('echo a')
  await sleep(500)
  const each = (residentMemory() - before) / rest.length
  const { cells } = host.stats()
  await host.close()
  return { each, cells }
}

const measurements: Readonly<Record<string, () => Promise<Record<string, number>>>> = {
  call,
  inFlight,
  open,
  many,
}

console.log(JSON.stringify(await measurements[name]?.()))
process.exit()
