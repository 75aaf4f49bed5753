// One measurement of sandboxes that hibernate, in a process of its own: `many SHELL N` has N named ones, `cycles SHELL N` stores and
// wakes one N times. Prints an object of figures.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { directoryStore, type EngineName, ShellHost } from '../src/index.ts'
import { median } from './statistics.ts'

const [name = '', shell = '', countText = ''] = process.argv.slice(2)
const count = Number(countText)
const mebibyte = 2 ** 20
/** Sandboxes that are open at once. */
const live = 200
const wakes = 300

/** What each sandbox has. */
const files = Object.fromEntries(
  Array.from({ length: 20 }, (_, at) => [`/tmp/f${at}`, `file ${at} `.repeat(100)]),
)

function isEngine(text: string): text is EngineName {
  return text === 'bash' || text === 'strands'
}

async function withHost<T>(maxSandboxes: number, measure: (host: ShellHost) => Promise<T>): Promise<T> {
  const path = await mkdtemp(join(tmpdir(), 'bench-hibernate-'))
  try {
    await using host = new ShellHost({
      isolation: 'shared',
      maxSandboxes,
      hibernate: { store: directoryStore(path) },
    })
    return await measure(host)
  } finally {
    await rm(path, { recursive: true, force: true })
  }
}

function open(host: ShellHost, id: string) {
  if (!isEngine(shell)) throw new TypeError(`no shell: ${shell}`)
  return host.getOrOpen<EngineName>(id, { shell, checkpoint: 'never', files })
}

/** Memory with many named sandboxes, and how long the call of one takes that is stored. */
function many(): Promise<Record<string, number>> {
  return withHost(live, async (host) => {
    for (let made = 0; made < count; made += 50) {
      const ids = Array.from({ length: Math.min(50, count - made) }, (_, at) => made + at)
      await Promise.all(
        ids.map(async (id) => (await open(host, `${id}`)).execute(`x=${id}; echo ${id} > own`)),
      )
    }
    const times: number[] = []
    for (let woken = 0; woken < wakes; woken++) {
      const id = (woken * 7919) % count
      const sandbox = await open(host, `${id}`)
      const isStored = sandbox.status === 'hibernated'
      const start = performance.now()
      const { stdout } = await sandbox.execute('echo $x; cat own')
      if (stdout !== `${id}\n${id}\n`) throw new Error(`${id} has ${stdout}`)
      if (isStored) times.push(performance.now() - start)
    }
    return { wake: median(times), rss: process.memoryUsage.rss() / mebibyte, live: host.stats().peak }
  })
}

/** Memory after `count` times, as a ratio to that after a tenth of them. */
function cycles(): Promise<Record<string, number>> {
  setFlagsFromString('--expose-gc')
  const gc: () => void = runInNewContext('gc')
  return withHost(live, async (host) => {
    const rss: number[] = []
    for (let done = 0; done < count; done += 10) {
      await Promise.all(
        Array.from({ length: 10 }, async (_, at) => {
          const sandbox = await open(host, `${at}`)
          await sandbox.execute(`echo ${done} > own`)
          await sandbox.hibernate()
        }),
      )
      if (done % (count / 10) !== 0) continue
      gc()
      rss.push(process.memoryUsage.rss() / mebibyte)
    }
    const [, first = Number.NaN] = rss
    return { first, last: rss.at(-1) ?? Number.NaN, ratio: (rss.at(-1) ?? Number.NaN) / first }
  })
}

const measurements: Readonly<Record<string, () => Promise<Record<string, number>>>> = { many, cycles }
const measure = measurements[name]
if (measure === undefined) throw new Error(`no measurement: ${name}`)
console.log(JSON.stringify(await measure()))
