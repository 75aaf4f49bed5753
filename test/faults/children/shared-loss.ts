import { fileURLToPath, pathToFileURL } from 'node:url'
import { SandboxError, ShellHost, StrandsShellSandbox } from '../../../src/index.ts'

const workerUrl = pathToFileURL(fileURLToPath(new URL('../../../.tmp/faulty-worker.cjs', import.meta.url)))
const host = new ShellHost({ isolation: 'shared', sandboxesPerWorker: 16, workerUrl })

const commands = [
  'i=0; while [ $i -lt 1000 ]; do i=$((i + 1)); done',
  'echo a | grep a | wc -c',
  'x=$(echo b); echo $x',
]

/** How a call ended, as a word. */
async function endOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => 'result',
    (error: unknown) => (error instanceof SandboxError ? error.code : String(error)),
  )
}

/** A worker throws while each of its sandboxes has a native call in flight and two that wait. */
async function loseWorker(): Promise<readonly string[]> {
  const sandboxes = await Promise.all(
    Array.from({ length: 16 }, () => StrandsShellSandbox.open({}, { host })),
  )
  const calls = sandboxes
    .slice(1)
    .flatMap((sandbox) => commands.map((command) => endOf(sandbox.execute(command))))
  for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate)
  calls.push(endOf(sandboxes[0]?.execute('fault throw') ?? Promise.resolve()))
  const ends = await Promise.all(calls)
  for (const sandbox of sandboxes) {
    // A sandbox none of whose calls was pending says so at its next call, and never twice.
    if (sandbox.status === 'lost') await endOf(sandbox.open())
    if ((await endOf(sandbox.execute('echo again'))) !== 'result') throw new Error('a loss was told twice')
    await sandbox.close()
  }
  return ends
}

const rounds = Number(process.argv[2])
const seen = new Set<string>()
for (let round = 0; round < rounds; round++) for (const end of await loseWorker()) seen.add(end)
await host.close()
console.log(`lost ${rounds}: ${seen.has('WORKER_LOST') ? 'told' : 'not told'}`)
