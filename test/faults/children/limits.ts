import { execFileSync } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type ExecutionResult,
  type HostedSandbox,
  type Isolation,
  SandboxError,
  SessionLoss,
  ShellHost,
} from '../../../src/index.ts'

/** A process at a limit of its system: `files` takes its own descriptors, `threads` and `space` are started with too few. */
const [limit, isolation, shell] = process.argv.slice(2) as [string, Isolation, 'bash' | 'jail' | 'strands']
const host = new ShellHost({ isolation, maxSandboxes: 16 })
const open = (): Promise<HostedSandbox> =>
  shell === 'bash' ? host.open({ shell }) : shell === 'jail' ? host.open({ shell }) : host.open()

/** What a command printed, or how the call was rejected. */
async function wordOf(call: Promise<ExecutionResult>): Promise<string> {
  try {
    return (await call).stdout.trim()
  } catch (error) {
    if (!(error instanceof SandboxError)) return `raw ${String(error)}`
    return error.cause instanceof SessionLoss
      ? `${error.code} ${error.cause.code}`
      : `${error.code} ${error.message}`
  }
}

async function once(): Promise<ExecutionResult> {
  const sandbox = await open()
  try {
    return await sandbox.execute('echo open')
  } finally {
    await sandbox.close()
  }
}

/** The same once there is room again: closed shells give theirs back within two seconds. */
async function wordWithRoom(): Promise<string> {
  const begun = performance.now()
  for (;;) {
    const word = await wordOf(once())
    if (word === 'open' || performance.now() - begun > 40_000) return word
    await sleep(100)
  }
}

/** Opens files until none can be opened. */
function takeAll(): number[] {
  const taken: number[] = []
  try {
    for (;;) taken.push(openSync('/dev/null', 'r'))
  } catch {
    return taken // There are no more.
  }
}

/** How openings go with so many descriptors left. */
async function withLeft(left: number): Promise<string> {
  const taken = takeAll()
  for (const descriptor of taken.splice(0, left)) closeSync(descriptor)
  const word = await wordOf(once())
  for (const descriptor of taken) closeSync(descriptor)
  return word
}

/** How many at once go, and how those go on that were opened. */
async function burst() {
  const opening = await Promise.allSettled(Array.from({ length: 16 }, open))
  const words = await Promise.all(
    opening.map((end) =>
      wordOf(end.status === 'fulfilled' ? end.value.execute('echo open') : Promise.reject(end.reason)),
    ),
  )
  await Promise.all(opening.map((end) => (end.status === 'fulfilled' ? end.value.close() : undefined)))
  return words
}

const short = []
if (limit === 'files') for (const left of [0, 1, 2, 4, 8, 12, 16, 24]) short.push(await withLeft(left))
const afterwards = limit === 'files' ? await wordWithRoom() : undefined
const many = await burst()
if (limit === 'threads') {
  // Whoever has started this process raises its limit now.
  process.stdout.write('full\n')
  await new Promise((resolve) => process.stdin.once('data', resolve))
}
// A process may raise its own limit up to the hard one.
if (limit === 'space') execFileSync('prlimit', ['--pid', `${process.pid}`, '--as=unlimited:'])
const last = await wordWithRoom()
await host.close()
console.log(JSON.stringify({ short, afterwards, many, last }))
process.exit()
