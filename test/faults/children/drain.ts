import { readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Isolation, ShellHost } from '../../../src/index.ts'

const isolation = process.argv[2] as Isolation
// What Node starts on first use, such as its pool of threads for files, is there before the count.
const first = new ShellHost({ isolation })
await (await first.open()).execute('true')
await first.drain()
await sleep(300)

function threads(): number {
  return readdirSync('/proc/self/task').filter((id) => id !== '').length
}

const before = { threads: threads(), resources: process.getActiveResourcesInfo().sort() }
const host = new ShellHost({ isolation, idleTimeout: 60, maxLifetime: 600, idleWorkerTimeout: 60, warm: 2 })
host.on('closed', () => undefined)
const named = await Promise.all(Array.from({ length: 4 }, (_, index) => host.getOrOpen(`agent-${index}`)))
await (await host.open()).close()
const calls = named.map((sandbox, index) =>
  sandbox.execute(index === 0 ? 'sleep 8' : `sleep 0.2; echo ${index}`).then(
    ({ stdout }) => stdout.trim(),
    ({ code }: { readonly code: string }) => code,
  ),
)
const start = performance.now()
await host.drain({ grace: 3 })
const took = (performance.now() - start) / 1000
const ends = await Promise.all(calls)
const refused = await host.open().then(
  () => 'opened',
  ({ code }: { readonly code: string }) => code,
)
// The command that outlived the grace ends, and its worker with it.
const deadline = performance.now() + 20_000
while (host.stats().workers > 0 && performance.now() < deadline) await sleep(20)
await sleep(300)
const after = { threads: threads(), resources: process.getActiveResourcesInfo().sort() }
const { workers, leased, idle, retired, open } = host.stats()
console.log(
  JSON.stringify({
    ends,
    refused,
    within: took < 7,
    left: { workers, leased, idle, retired, open },
    resources: after.resources.join() === before.resources.join() ? 'as before' : { before, after },
    threads: after.threads <= before.threads + 3 ? 'as before' : { before, after },
    closed: host.stats().closed,
  }),
)
