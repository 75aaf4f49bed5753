// What places cost, in a process of its own: `memory N` has N sandboxes of each kind, `collect MIB` a heap of so many MiB.
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type EngineName, ShellHost, type ShellHostOptions } from '../src/index.ts'
import { median } from './statistics.ts'

const [name = '', countText = ''] = process.argv.slice(2)
const count = Number(countText)

/** Memory of this process and its children, in MiB: pages that several have count in shares. */
function memory(): number {
  const children = readdirSync('/proc/self/task').flatMap((task) =>
    readFileSync(`/proc/self/task/${task}/children`, 'utf8').trim().split(' ').filter(Boolean),
  )
  const share = (pid: string) =>
    Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]) / 1024
  return ['self', ...children].reduce((total, pid) => total + share(pid), 0)
}

/** MiB of each sandbox, cells and workers included, once it has run a pipeline. */
async function each(shell: EngineName, options: ShellHostOptions, mixed = false): Promise<number> {
  await using host = new ShellHost({ maxSandboxes: count, ...options })
  const before = memory()
  const sandboxes = []
  for (let made = 0; made < count; made++) {
    const allowedUrls = mixed ? [`https://${made}.example/`] : []
    const sandbox = await host.open<EngineName>({ shell, allowedUrls })
    await sandbox.execute('echo "a b" | grep a | sed s/a/b/')
    sandboxes.push(sandbox)
  }
  await sleep(1000)
  const mebibytes = (memory() - before) / sandboxes.length
  return Number(mebibytes.toFixed(1))
}

async function memories(): Promise<Record<string, number>> {
  const figures: Record<string, number> = {}
  for (const shell of ['strands', 'bash'] as const) {
    figures[`${shell}, a cell each`] = await each(shell, { isolation: 'process' }, true)
    figures[`${shell}, 8 in a cell`] = await each(shell, {
      isolation: 'process',
      maxCells: Math.ceil(count / 8),
      sandboxesPerCell: 8,
    })
    figures[`${shell}, worker`] = await each(shell, { isolation: 'worker' })
  }
  return figures
}

/** Milliseconds of a collection of garbage, with a heap of small objects. */
async function collect(): Promise<Record<string, number>> {
  setFlagsFromString('--expose-gc')
  const gc: () => void = runInNewContext('gc')
  const kept: unknown[] = []
  while (process.memoryUsage().heapUsed < count * 2 ** 20) {
    for (let made = 0; made < 1000; made++) kept.push({ made, text: String(made), inner: [made, { made }] })
  }
  const times = Array.from({ length: 9 }, () => {
    const start = performance.now()
    gc()
    return performance.now() - start
  })
  return { objects: kept.length, median: median(times), longest: Math.max(...times) }
}

const measurements: Readonly<Record<string, () => Promise<Record<string, number>>>> = {
  memory: memories,
  collect,
}

console.log(await measurements[name]?.())
process.exit()
