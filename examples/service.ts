// An HTTP service whose agents each have a sandbox, and which drains when it is told to stop.
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SandboxError, ShellHost } from '../src/index.ts'

const host = new ShellHost({
  isolation: 'shared',
  maxSandboxes: 1000,
  maxQueued: 200,
  openTimeout: 10,
  warm: 4,
  idleTimeout: 600,
  defaults: { timeout: 20, limits: { maxInodes: 2000 } },
})
host.on('lost', ({ id, reason }) => console.error(`sandbox ${id} was lost: ${reason}`))

/** POST /<agent> with a command runs it in that agent's sandbox. */
async function answer(
  request: IncomingMessage,
): Promise<{ readonly status: number; readonly body: unknown }> {
  try {
    const sandbox = await host.getOrOpen(new URL(request.url ?? '/', 'http://host').pathname.slice(1))
    const { exitCode, stdout, stderr } = await sandbox.execute(await text(request), { timeout: 30 })
    return { status: 200, body: { exitCode, stdout, stderr, generation: sandbox.generation } }
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error
    const busy = error.code === 'HOST_SATURATED' || error.code === 'CLOSED'
    return { status: busy ? 503 : 500, body: { code: error.code } }
  }
}

const server = createServer((request, response) => {
  answer(request).then(
    ({ status, body }) => response.writeHead(status).end(JSON.stringify(body)),
    () => response.writeHead(500).end(),
  )
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const { port } = server.address() as AddressInfo

process.once('SIGTERM', async () => {
  console.log('draining')
  const closed = once(server, 'close')
  server.close()
  await host.drain({ grace: 10 })
  await closed
  const { workers, closed: sandboxes, calls } = host.stats()
  console.log(`drained: ${workers} workers, ${sandboxes.drained} sandboxes closed, ${calls} calls`)
})

// What clients would do, and then the operator.
async function ask(agent: string, command: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/${agent}`, { method: 'POST', body: command })
  return `${agent}: ${response.status} ${await response.text()}`
}

console.log(await ask('ada', 'echo 1 > n; cat n'))
console.log(await ask('bob', 'ls'))
console.log(await ask('ada', 'echo 2 >> n; wc -l < n'))
const last = ask('ada', 'sleep 0.5; cat n')
while (host.stats().running === 0) await new Promise((resolve) => setTimeout(resolve, 5))
process.kill(process.pid, 'SIGTERM')
console.log(await last)
