// An MCP server over HTTP, and one client of it. Each client gets its own sandbox. The server has its own host, which runs
// the sandboxes in child processes.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { serveHttp } from 'strands-shell-runtime/mcp'

await using server = await serveHttp({
  token: 'a-token-that-the-client-knows',
  maxSessions: 8,
  idleTimeout: 600,
  sandbox: { timeout: 20 },
  tools: { include: ['shell', 'write_file', 'read_file'] },
})

const transport = new StreamableHTTPClientTransport(new URL(server.url), {
  requestInit: { headers: { authorization: 'Bearer a-token-that-the-client-knows' } },
})
const client = new Client({ name: 'example', version: '1.0.0' })
await client.connect(transport)

const { tools } = await client.listTools()
console.log('tools:', tools.map(({ name }) => name).join(', '))

await client.callTool({ name: 'write_file', arguments: { path: '/tmp/names', content: 'Grace\nAda\n' } })
const sorted = await client.callTool({ name: 'shell', arguments: { command: 'sort /tmp/names' } })
console.log('shell:', JSON.stringify(sorted.structuredContent))

const refused = await client.callTool({ name: 'write_file', arguments: { path: '/etc/hosts', content: '' } })
console.log('refused:', refused.isError)

const stranger = await fetch(server.url, { method: 'POST' })
console.log('a stranger:', stranger.status)

await transport.terminateSession()
await client.close()
console.log('sessions:', server.sessions)
