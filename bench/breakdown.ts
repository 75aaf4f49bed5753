// npx tsx bench/breakdown.ts [WIDTH] [CALLS]: where `execute('true')` spends its time, by thread and by part.
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { BroadcastChannel } from 'node:worker_threads'
import { ShellHost } from '../src/index.ts'
import { type Profile, partOf, selfTimes } from './profile.ts'

const [width = 1, calls = 20_000] = process.argv.slice(2).map(Number)

await using host = new ShellHost({
  isolation: 'worker',
  workerUrl: new URL('./profiled-worker.cjs', import.meta.url),
})
await using sandbox = await host.open()

await call(200)

const before = cpuOfThreads()
const wall = await call(calls)
const after = cpuOfThreads()

const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.setSamplingInterval', { interval: 100 })
const channel = new BroadcastChannel('profile')
const messages = new EventTarget()
channel.onmessage = ({ data }: { data: unknown }) =>
  messages.dispatchEvent(new CustomEvent('profile', { detail: data }))
channel.postMessage('start')
await session.post('Profiler.start')
await call(calls)
const { profile } = await session.post('Profiler.stop')

const stopped = once(messages, 'profile')
channel.postMessage('stop')
const [{ detail }] = (await stopped) as [CustomEvent<{ profile: Profile }>]
channel.close()

console.log(`execute('true'), ${width} in flight: ${wall.toFixed(1)} us a call\n`)
console.log('Processor time by thread, us a call')
for (const [thread, spent] of differences(before, after)) print(thread, spent / calls)
for (const [thread, taken] of [
  ['the caller’s thread', profile],
  ['the worker’s thread', detail.profile],
] as const) {
  console.log(`\nOn ${thread}, us a call`)
  const parts = [...selfTimes(taken, partOf)].filter(([part]) => part !== 'idle' && part !== 'the profiler')
  for (const [part, spent] of parts.sort((a, b) => b[1] - a[1])) print(part, spent / calls)
}

/** Makes calls, `width` at a time. Microseconds a call. */
async function call(count: number): Promise<number> {
  let left = count
  const start = performance.now()
  const lane = async () => {
    while (left-- > 0) await sandbox.execute('true')
  }
  await Promise.all(Array.from({ length: width }, lane))
  return ((performance.now() - start) * 1000) / count
}

/** Microseconds of CPU that each thread of this process has had. */
function cpuOfThreads(): Map<string, number> {
  const threads = readdirSync('/proc/self/task').map((id): [string, number] => {
    const name = readFileSync(`/proc/self/task/${id}/comm`, 'utf8').trim()
    const [spent = '0'] = readFileSync(`/proc/self/task/${id}/schedstat`, 'utf8').split(' ')
    return [Number(id) === process.pid ? 'the caller’s' : `${ownerOf(name)} ${id}`, Number(spent) / 1000]
  })
  return new Map(threads)
}

function ownerOf(name: string): string {
  return name.startsWith('tokio') ? 'the engine’s' : 'Node’s'
}

function differences(before: Map<string, number>, after: Map<string, number>): [string, number][] {
  const spent = [...after].map(([thread, time]): [string, number] => [
    thread,
    time - (before.get(thread) ?? 0),
  ])
  return spent.filter(([, time]) => time / calls > 0.5).sort((a, b) => b[1] - a[1])
}

function print(name: string, microseconds: number): void {
  if (microseconds >= 0.2) console.log(`${microseconds.toFixed(1).padStart(8)}  ${name}`)
}
