// Calls of a service, in a process of its own. `serve SHELL` serves until its input ends and prints the address; `serve http` answers the same
// requests with fixed texts. `call URL CLIENTS SECONDS` prints what `execute('true')` takes there, first and later, and how many run a second; with the name of a
// shell instead of an address the sandboxes are of a host in this process.
import { createServer } from 'node:http'
import { performance } from 'node:perf_hooks'
import { type Sandbox, ShellHost } from '../src/index.ts'
import { RemoteSandbox } from '../src/remote/index.ts'
import { serve } from '../src/service/index.ts'
import { median } from './statistics.ts'

const token = 'a-token-of-the-bench'
/** Calls before the ones that count: Node makes fast code of what has run some thousand times. Seconds that they may take. */
const warmUp = { calls: 5000, seconds: 20 }
/** How many of them are told as the first ones. */
const first = 500
const [what = '', where = '', clients = '', seconds = ''] = process.argv.slice(2)
const shells = ['strands', 'bash'] as const

if (what === 'serve') {
  const url = where === 'http' ? await serveTexts() : await serveSandboxes(shellOf(where))
  process.stdout.write(`${url}\n`)
  process.stdin.resume()
} else {
  process.stdout.write(JSON.stringify(await call(Number(clients), Number(seconds))))
  process.exit()
}

async function serveSandboxes(shell: (typeof shells)[number]): Promise<string> {
  const service = await serve({
    tokens: [{ token, name: 'bench' }],
    templates: { default: { shell } },
    maxPendingRequests: 1000,
  })
  process.stdin.once('end', () => void service.close({ grace: 0 }))
  return service.url
}

/** What node:http and the client take alone. */
async function serveTexts(): Promise<string> {
  const sandbox = JSON.stringify({
    id: 'a',
    template: 'default',
    shell: 'bash',
    labels: {},
    createdAt: 0,
    status: 'open',
    generation: 1,
    pending: 0,
  })
  const result = JSON.stringify({
    type: 'executionResult',
    exitCode: 0,
    stdout: '',
    stderr: '',
    outputFiles: [],
    timedOut: false,
    truncated: false,
    durationMs: 1,
  })
  const server = createServer((request, response) => {
    const body = request.url?.endsWith('/execute') === true ? result : sandbox
    request.resume().once('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(body)
    })
  })
  process.stdin.once('end', () => process.exit())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}

async function call(count: number, time: number): Promise<Record<string, number>> {
  const sandboxes = await Promise.all(Array.from({ length: count }, await opener()))
  const times: number[] = []
  const run = async (milliseconds: number, calls = Number.POSITIVE_INFINITY) => {
    const end = performance.now() + milliseconds
    await Promise.all(
      sandboxes.map(async (sandbox) => {
        while (performance.now() < end && times.length < calls) {
          const start = performance.now()
          await sandbox.execute('true')
          times.push(performance.now() - start)
        }
      }),
    )
  }
  await run(warmUp.seconds * 1000, warmUp.calls)
  const cold = median(times.slice(0, first))
  times.length = 0
  const start = performance.now()
  await run(time * 1000)
  const perSecond = times.length / ((performance.now() - start) / 1000)
  return { median: median(times), cold, perSecond }
}

async function opener(): Promise<() => Promise<Sandbox>> {
  if (where.startsWith('http:')) return () => RemoteSandbox.open({}, { url: where, token })
  const host = new ShellHost({ isolation: 'process' })
  const shell = shellOf(where)
  return () => host.open<(typeof shells)[number]>({ shell })
}

function shellOf(name: string): (typeof shells)[number] {
  return name === 'bash' ? 'bash' : 'strands'
}
