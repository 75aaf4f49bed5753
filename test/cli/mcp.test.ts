import { createServer } from 'node:net'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { expect, test } from 'vitest'
import { call, connect, directoryOf, textOf } from '../mcp/helpers.ts'
import { cli, runCli } from './run-cli.ts'
import { runHere } from './run-here.ts'

const messages = (...list: object[]) =>
  list.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('')
const hello = {
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
}

test('mcp serves a sandbox with the given options on standard input and output, and ends with the input', async () => {
  const call = { id: 2, method: 'tools/call', params: { name: 'shell', arguments: { command: 'echo $A' } } }
  const list = { id: 3, method: 'tools/list' }
  const denied = { ...call, id: 4, params: { name: 'shell', arguments: { command: 'touch a' } } }
  const stdin = messages(hello, { method: 'notifications/initialized' }, denied, call, list)
  const rules = `${await directoryOf({ 'rules.json': '{"denyCommands":["touch"]}' })}/rules.json`
  const copy = ['--bind', `${await directoryOf({})}:/work:copy`, '--changes', '--apply-changes']
  const { code, stdout } = await runCli(
    ['mcp', '--shell', 'strands', '--env', 'A=from-an-option', '--policy', rules, ...copy],
    {
      stdin,
      inputUntil: '"id":2',
    },
  )
  const replies = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .sort((a, b) => a.id - b.id)
  expect(replies.map(({ id }) => id)).toEqual([1, 2, 3, 4])
  expect(JSON.stringify(replies[1])).toContain('from-an-option')
  expect(JSON.stringify(replies[3])).toContain('Denied by policy: touch may not be run here.')
  const names = replies[2].result.tools.map(({ name }: { readonly name: string }) => name)
  expect(names.slice(-2)).toEqual(['changes', 'apply_changes'])
  expect(code).toBe(0)
})

test('mcp serves bash where no shell is named, in a process of its own', async () => {
  const [command, ...args] = cli
  const transport = new StdioClientTransport({
    command,
    args: [...args, 'mcp', '--env', 'A=from-an-option'],
    stderr: 'ignore',
  })
  const client = await connect(transport)
  const { tools } = await client.listTools()
  expect(tools[0]?.description).toContain('Runs a command in bash')
  expect(textOf(await call(client, 'shell', { command: 'list=($A b); [[ $list ]] && echo "$list"' }))).toBe(
    'from-an-option',
  )
})

test('mcp --http says where it serves, and a signal stops it in order', async () => {
  const port = await freePort()
  const end = runCli(['mcp', '--http', String(port)], {
    onStart: (kill) => {
      const asking = setInterval(async () => {
        const response = await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined) // It is not up yet.
        if (response === undefined) return
        clearInterval(asking)
        kill('SIGTERM')
      }, 100)
    },
  })
  const { code, stdout, stderr } = await end
  expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
  expect(stderr).toMatch(new RegExp(`^strands-shell-runtime: Serving MCP at http://127\\.0\\.0\\.1:${port}/`))
})

test.each([
  [['--http', '1e5'], 2, /^--http: expected an integer from 0 to 65535, but got "1e5"\.$/],
  [['--http', '0', '--hostname', '0.0.0.0'], 2, /^STRANDS_SHELL_MCP_TOKEN is needed to listen on 0\.0\.0\.0/],
  [['--http', '0', '--allow-origin', 'x'], 2, /^--allow-origin must be origins/],
  [['--http', '0', '--idle-timeout', '0'], 2, /^--idle-timeout must be a number of seconds/],
  [['--timeout', '0'], 2, /^--timeout must be a number of seconds/],
  [['--config', '/nope.toml'], 2, /^--config "\/nope\.toml": it cannot be read \(ENOENT\)\.$/],
])('mcp %j is refused with %i', async (options, code, message) => {
  const end = await runHere(['mcp', ...options])
  expect({ code: end.code, stdout: end.stdout }).toEqual({ code, stdout: '' })
  expect(end.stderr.replace(/^strands-shell-runtime: /, '').trimEnd()).toMatch(message)
})

test('mcp on a port that is taken ends with 125', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  try {
    const end = await runHere(['mcp', '--http', String(typeof address === 'object' ? address?.port : '')])
    expect(end).toMatchObject({
      code: 125,
      stderr: expect.stringMatching(/the server cannot listen: .*EADDRINUSE/),
    })
  } finally {
    server.close()
  }
})

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}
