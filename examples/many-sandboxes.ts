// Runs sandboxes side by side: each has its own worker thread, session and files.
import { ShellHost, StrandsShellSandbox } from '../src/index.ts'

const count = 6
const loop = 'i=0; while [ $i -lt 2000 ]; do i=$((i + 1)); done'

await using host = new ShellHost({ isolation: 'worker', maxSandboxes: count })

interface Report {
  readonly text: string
  /** Milliseconds. */
  readonly time: number
}

async function work(index: number): Promise<Report> {
  await using sandbox = await StrandsShellSandbox.open({ env: { ID: String(index) } }, { host })
  const start = performance.now()
  await sandbox.execute(`${loop}; echo "I am $ID" > /tmp/me`)
  return { text: (await sandbox.readText('/tmp/me')).trimEnd(), time: performance.now() - start }
}

let turns = 0
const heartbeat = setInterval(() => {
  turns += 1
}, 5)

const start = performance.now()
const reports = await Promise.all(Array.from({ length: count }, (_, index) => work(index)))
const total = performance.now() - start
clearInterval(heartbeat)

for (const { text, time } of reports) console.log(`${text} (${time.toFixed(0)} ms)`)
console.log(`${reports.length} sandboxes in ${total.toFixed(0)} ms`)
console.log(`the main thread was free meanwhile: ${turns > 0 ? 'yes' : 'no'}`)

// A closed sandbox gives its worker back, and the next one opens on it at once.
const { leased, idle } = host.stats()
const again = performance.now()
await work(count)
console.log(
  `${leased} workers in use, ${idle} kept; one more sandbox took ${(performance.now() - again).toFixed(0)} ms`,
)
