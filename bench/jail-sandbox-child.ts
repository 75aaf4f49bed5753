// One measurement of jails, in a process of its own: prints an object of figures.
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { ShellHost } from '../src/index.ts'
import { type JailConfig, JailSandbox } from '../src/jail/index.ts'
import { median } from './statistics.ts'
import { timed } from './timed.ts'

const [name = '', countText = ''] = process.argv.slice(2)
const count = Number(countText)

async function times(work: () => Promise<unknown>): Promise<number> {
  const all: number[] = []
  for (let made = 0; made < count; made += 1) all.push(await timed(work))
  return median(all)
}

/** `execute('true')`, one that starts a program, and an opening with its end. */
async function calls(): Promise<Record<string, number>> {
  await using host = new ShellHost()
  const sandbox = await JailSandbox.open({}, { host })
  await times(() => sandbox.execute('true'))
  return {
    call: await times(() => sandbox.execute('true')),
    program: await times(() => sandbox.execute('/bin/true')),
  }
}

/** Openings on a thread that has a jail ready, and on one that has served others. */
async function opening(): Promise<Record<string, number>> {
  await using host = new ShellHost()
  const open = async (config: JailConfig) => {
    const start = performance.now()
    const sandbox = await JailSandbox.open(config, { host })
    const taken = performance.now() - start
    await sandbox.execute('true')
    await sandbox.close()
    return taken
  }
  const [warm, cold]: [number[], number[]] = [[], []]
  for (let made = -2; made < count; made += 1) {
    const taken = await open({})
    if (made >= 0) warm.push(taken)
    await sleep(READY)
  }
  // No two in a row are alike: nothing is ready for them.
  for (let made = 0; made < count; made += 1) cold.push(await open({ env: { N: String(made) } }))
  return { warm: median(warm), cold: median(cold) }
}

/** Milliseconds in which a thread makes a jail ready. */
const READY = 1000

/** MiB of each of so many jails: their processes, and what this process has of them. */
async function memory(): Promise<Record<string, number>> {
  await using host = new ShellHost({ maxSandboxes: count + 1 })
  await JailSandbox.open({}, { host })
  const before = heldMemory()
  for (let made = 0; made < count; made += 1) {
    const sandbox = await JailSandbox.open({}, { host })
    held.push(sandbox)
    await sandbox.execute('x=1')
  }
  return { each: (heldMemory() - before) / count }
}

const held: JailSandbox[] = []

const heldMemory = () => process.memoryUsage().rss / 2 ** 20 + startedMemory()

/** MiB of the processes that this one has started; what several share counts in parts. */
function startedMemory(): number {
  let kibibytes = 0
  for (const pid of descendants(String(process.pid))) {
    try {
      kibibytes += Number(
        /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1'))?.[1] ?? 0,
      )
    } catch {
      // It has ended.
    }
  }
  return kibibytes / 1024
}

function descendants(pid: string): string[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'latin1')
      .split(' ')
      .filter(Boolean)
      .flatMap((child) => [child, ...descendants(child)]),
  )
}

const measurements: Readonly<Record<string, () => Promise<Record<string, number>>>> = {
  calls,
  opening,
  memory,
}
const measured = await measurements[name]?.()
console.log(JSON.stringify(measured))
