import { type Isolation, ShellHost, StrandsShellSandbox } from '../../../src/index.ts'

const host = new ShellHost({ isolation: process.argv[3] as Isolation, maxIdleWorkers: 2, maxRetired: 500 })

const commands = [
  'sleep 0.05',
  'i=0; while [ $i -lt 300 ]; do i=$((i + 1)); done',
  'echo a | grep a | wc -c',
  'x=$(echo b); echo $x',
]

/** Starts native calls of a few kinds and gives up the sandbox under them, one way after another. */
async function abandonOne(index: number): Promise<void> {
  const onInterrupt = index % 3 === 1 ? 'reset' : 'keep'
  const sandbox = new StrandsShellSandbox({ onInterrupt }, { host })
  await sandbox.open()
  const abort = new AbortController()
  const { signal } = abort
  const calls = [0, 1, 2].map((n) =>
    sandbox.execute(commands[(index + n) % commands.length] ?? '', { signal }),
  )
  calls.push(sandbox.executeCode('print(1)', 'lua', { signal, cwd: '/tmp' }))
  const settled = Promise.allSettled(calls)
  const bytes = sandbox.writeFile('/tmp/a', new Uint8Array(100_000)).catch(() => undefined)
  // A turn or two of the event loop: the first call is then inside the engine.
  for (let turn = 0; turn < index % 4; turn++) await new Promise(setImmediate)
  if (index % 3 === 0) await sandbox.close()
  else abort.abort()
  await settled
  await bytes
}

const total = Number(process.argv[2])
let next = 0
async function abandonMany(): Promise<void> {
  while (next < total) await abandonOne(next++)
}

await Promise.all(Array.from({ length: 6 }, abandonMany))
await host.close()
console.log(`gave up ${next}`)
