// An HTTP service: each agent has its own sandbox, and SIGTERM drains the host. One agent crashes its own sandbox; the
// service and the other agents go on.
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SandboxError, ShellHost } from 'strands-shell-runtime'

const host = new ShellHost({
  // Places: maxCells x sandboxesPerCell. The agents of one cell share its fate.
  maxCells: 4,
  sandboxesPerCell: 25,
  maxQueued: 200,
  openTimeout: 10,
  idleTimeout: 600,
  defaults: { timeout: 20, onInterrupt: 'reset', limits: { maxInodes: 2000 } },
})
host.on('lost', ({ id, reason }) => console.log(`${id} has lost its session: ${reason}`))

/** `POST /<agent>` runs the command of its body in that agent's sandbox. */
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

// The requests of three clients, then the operator's SIGTERM.
async function ask(agent: string, command: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/${agent}`, { method: 'POST', body: command })
  return `${agent}: ${response.status} ${await response.text()}`
}

console.log(await ask('ada', 'echo 1 > n; cat n'))
console.log(await ask('bob', 'ls'))
console.log(await ask('mallory', 'echo | tail -n 100000000000')) // the engine's process dies of this
console.log(await ask('ada', 'echo 2 >> n; wc -l < n'))
const last = ask('ada', 'sleep 0.5; cat n')
while (host.stats().running === 0) await new Promise((resolve) => setTimeout(resolve, 5))
process.kill(process.pid, 'SIGTERM')
console.log(await last)
