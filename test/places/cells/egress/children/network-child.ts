// Run in a process of its own: sends requests of a cell through the proxy of its host, then closes the host, three times,
// and prints what is left of the process's resources each time; or leaves all as it is. Ends by itself.
import { readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import { ShellHost } from '../../../../../src/index.ts'

const server = createServer((_request, response) => response.end('hello\n'))
server.keepAliveTimeout = 1
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
server.unref()
const address = server.address()
const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`

async function useHost(): Promise<ShellHost> {
  const host = new ShellHost({ maxCells: 2 })
  const sandbox = await host.open({ allowedUrls: [url] })
  console.log((await sandbox.execute(`curl -s ${url}`)).stdout.trim())
  return host
}

/** Descriptors, referenced handles, and listeners of the process. */
function resources(): string {
  server.closeAllConnections()
  const handles = process.getActiveResourcesInfo().filter((kind) => /TCP|Timeout|Process|Message/.test(kind))
  const listeners = process.eventNames().map((event) => `${String(event)} ${process.listenerCount(event)}`)
  return JSON.stringify([readdirSync('/proc/self/fd').length, handles, listeners.sort()])
}

if (process.argv[2] === 'leave') await useHost()
else {
  const left = new Set<string>()
  for (const _round of [1, 2, 3]) {
    await (await useHost()).close()
    // What is closed is gone at the end of a turn of the event loop.
    for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    left.add(resources())
  }
  console.log(left.size === 1 ? 'nothing left' : [...left].join('\n'))
}
