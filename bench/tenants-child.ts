// One measurement of the check of tenants, in a process of its own: prints an object of figures in milliseconds.
import { setTimeout as sleep } from 'node:timers/promises'
import { ShellHost, type ShellHostOptions, type StrandsShellSandbox } from '../src/index.ts'
import { quantile } from './statistics.ts'
import { timed } from './timed.ts'

const [name = '', countText = ''] = process.argv.slice(2)
const samples = Number(countText)
const floods = 200
const quotas = { label: 'tenant' } as const
const command = 'sleep 0.01'

const openFor = (host: ShellHost, tenant: string) => host.open({ labels: { tenant } })

function makeHost(options: ShellHostOptions): ShellHost {
  return new ShellHost({ isolation: 'shared', maxSandboxes: 1000, maxRunning: 8, ...options })
}

/** What the quiet tenant waits for a command while others of the host run 200 at once. */
async function commands(options: ShellHostOptions, hasFlood: boolean): Promise<readonly number[]> {
  const host = makeHost(options)
  const quiet = await openFor(host, 'quiet')
  const flooding = hasFlood
    ? await Promise.all(Array.from({ length: floods }, () => openFor(host, 'flood')))
    : []
  let isOver = false
  const flood = async (sandbox: StrandsShellSandbox) => {
    while (!isOver) await sandbox.execute(command)
  }
  const running = flooding.map(flood)
  const times = await sample(() => quiet.execute(command))
  isOver = true
  await Promise.all(running)
  await host.close()
  return times
}

/** What the quiet tenant waits for a sandbox while others of the host want 200 at once and 50 fit. */
async function openings(options: ShellHostOptions, hasFlood: boolean): Promise<readonly number[]> {
  const host = makeHost({ ...options, maxSandboxes: 50 })
  let isOver = false
  const flood = async () => {
    while (!isOver) {
      const sandbox = await openFor(host, 'flood')
      await sandbox.execute(command)
      await sandbox.close()
    }
  }
  const running = hasFlood ? Array.from({ length: floods }, flood) : []
  const opened: StrandsShellSandbox[] = []
  const times = await sample(
    async () => opened.push(await openFor(host, 'quiet')),
    async () => {
      for (const sandbox of opened.splice(0)) await sandbox.close()
    },
  )
  isOver = true
  await Promise.all(running)
  await host.close()
  return times
}

async function sample(work: () => Promise<unknown>, after = async () => undefined as unknown) {
  const times: number[] = []
  await sleep(500)
  for (let made = 0; made < samples; made++) {
    times.push(await timed(work))
    await after()
    await sleep(5)
  }
  return times
}

async function figures(measure: typeof commands): Promise<Record<string, number>> {
  const runs = {
    alone: await measure({ quotas }, false),
    fair: await measure({ quotas }, true),
    unfair: await measure({}, true),
  }
  return Object.fromEntries(
    Object.entries(runs).flatMap(([run, times]) => [
      [`${run}50`, quantile(times, 0.5)],
      [`${run}99`, quantile(times, 0.99)],
    ]),
  )
}

const measurements: Readonly<Record<string, () => Promise<Record<string, number>>>> = {
  commands: () => figures(commands),
  openings: () => figures(openings),
}

console.log(JSON.stringify(await measurements[name]?.()))
process.exit()
