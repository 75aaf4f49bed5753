// Runs sandboxes side by side. Each has its own worker thread, session and files; the threads run in child processes.
import { ShellHost } from 'strands-shell-runtime'

const count = 6
const loop = 'i=0; while [ $i -lt 2000 ]; do i=$((i + 1)); done'

await using host = new ShellHost({ maxCells: 2, sandboxesPerCell: count })

interface Report {
  readonly text: string
  /** Milliseconds. */
  readonly time: number
}

async function work(index: number): Promise<Report> {
  await using sandbox = await host.open({ env: { ID: String(index) } })
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

// A closed sandbox gives its place back. The next sandbox opens in a cell that already runs.
const { open, cells } = host.stats()
const again = performance.now()
await work(count)
console.log(
  `${open} sandboxes open in ${cells} cells; one more took ${(performance.now() - again).toFixed(0)} ms`,
)
