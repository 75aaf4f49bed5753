import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { runCli } from '../cli/run-cli.ts'
import { runHere } from '../cli/run-here.ts'
import { call, connectInMemory, connectOverHttp, directoryOf, serve } from '../mcp/helpers.ts'
import { startServer } from '../strands-shell/support/http-server.ts'
import { temporaryDirectory } from '../strands-shell/support/temporary.ts'
import { BEARER, CANARY, everythingSaidBy, tracesIn } from './support/canary.ts'

/** What clients of a sandbox with the canary ask of it, beside good calls. */
const calls: readonly (readonly [tool: string, given: Record<string, unknown>])[] = [
  ['shell', { command: 'env; set; curl -s -i OWN/a; curl -v OWN/b; curl -sS http://127.0.0.1:1/' }],
  ['shell', { command: 'sleep 0.3', timeout: 0.05 }],
  ['shell', { command: 5 }],
  ['shell', { command: 'find /tmp -maxdepth 0 -exec [ a = ] \\;' }],
  ['run_code', { code: 'env', language: 'sh' }],
  ['read_file', { path: '/proc/self/environ' }],
  ['write_file', { path: '/etc/none', content: 'x' }],
  ['edit_file', { path: '/none', old_text: 'a', new_text: 'b' }],
  ['list_files', { path: '/none' }],
  ['no_such_tool', {}],
]

describe('an MCP server whose sandboxes have a credential', () => {
  it('tells no client of it: tools, calls, resources and failures', async () => {
    const own = await startServer()
    const bound = await directoryOf({ file: 'f' })
    const { client, host } = await connectInMemory({
      sandbox: {
        credentials: [{ url: own.origin, token: CANARY }],
        allowedUrls: [own.origin],
        binds: [{ source: bound, destination: '/work' }],
      },
    })
    const replies: unknown[] = [client.getInstructions(), client.getServerVersion(), host]
    replies.push(await client.listTools(), await client.listResources(), await client.listResourceTemplates())
    for (const [tool, given] of calls) {
      const text = JSON.stringify(given).replaceAll('OWN', own.origin)
      replies.push(await call(client, tool, JSON.parse(text)))
    }
    for (const uri of ['sandbox:/work', 'file:///work/file', 'file:///etc/passwd', 'nonsense:']) {
      replies.push(await client.readResource({ uri }).catch((error: unknown) => error))
    }
    const traces = replies
      .map((reply) => tracesIn(everythingSaidBy(reply)))
      .filter(({ length }) => length > 0)
    expect(traces).toEqual([])
    expect(JSON.stringify(replies)).toContain(own.origin)
    expect(own.seen.map(({ authorization }) => authorization)).toEqual([BEARER, BEARER])
  })

  it('writes its own token to no response and no log', async () => {
    const log: string[] = []
    const server = await serve({
      token: [CANARY, 'another-client-of-the-server'],
      log: (line) => log.push(line),
    })
    const answers: unknown[] = [server]
    for (const authorization of ['', 'Bearer x', `Bearer ${CANARY.slice(0, -1)}`, `Basic ${btoa('a:b')}`]) {
      const response = await fetch(server.url, { method: 'POST', headers: { authorization }, body: '{' })
      expect(response.status).toBe(401)
      answers.push([...response.headers], await response.text())
    }
    const headers = { authorization: BEARER, 'content-type': 'application/json' }
    const broken = await fetch(server.url, { method: 'POST', headers, body: `{"jsonrpc": nonsense` })
    answers.push(broken.status, [...broken.headers], await broken.text())
    const { client } = await connectOverHttp(server.url, CANARY)
    answers.push(await call(client, 'shell', { command: 'env; cat /proc/self/environ' }))
    answers.push(await call(client, 'shell', { command: 'echo works' }))
    await client.close()
    await server.close()
    expect(answers.flatMap((answer) => tracesIn(everythingSaidBy(answer)))).toEqual([])
    expect(JSON.stringify(answers)).toContain('works')
    expect([log.length > 0, ...tracesIn(log.join('\n'))]).toEqual([true])
  })
})

/** How the command line is called, and what it is given on standard input. */
const runs: readonly (readonly [what: string, words: readonly string[], input?: string])[] = [
  ['run', ['run', '--config', 'CONFIG', 'env; curl -s OWN/run; curl -v OWN/v; cat /none']],
  [
    'batch',
    ['batch', '--shell', 'strands', '--config', 'CONFIG', '-'],
    '{"command":"curl -s OWN/b; env"}\n{"command":5}\n{"b":\n',
  ],
  ['repl', ['repl', '--shell', 'strands', '--config', 'CONFIG'], 'env\ncurl -s OWN/r\nexit 3\n'],
  ['mcp', ['mcp', '--shell', 'strands', '--config', 'CONFIG'], 'MCP'],
  ['doctor', ['doctor', '--json']],
  ['a broken config', ['run', '--config', 'BROKEN', 'true']],
  ['a config with a fault', ['run', '--config', 'FAULTY', 'true']],
  ['a token as a variable', ['run', '--env', CANARY, 'true']],
  ['a token in an address', ['run', '--allow-url', `https://u:${CANARY}@h/`, 'true']],
]

it('the command line prints no credential of its config, also with DEBUG', async () => {
  const own = await startServer()
  const home = await temporaryDirectory()
  const file = (name: string) => join(home, `${name}.toml`)
  const fill = (text: string) => text.replaceAll('OWN', own.origin)
  const config = `allowedUrls = ["OWN"]\n[[credentials]]\nurl = "OWN"\ntoken = "${CANARY}"\n`
  await writeFile(file('CONFIG'), fill(config))
  await writeFile(file('BROKEN'), fill(`${config}token = "${CANARY}`))
  await writeFile(file('FAULTY'), fill(config.replace('token =', 'tokn =')))
  const env = { DEBUG: '1', STRANDS_SHELL_MCP_TOKEN: CANARY, NO_PROXY: '*', no_proxy: '*' }
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })
  const ends = runs.map(async ([what, words, input]) => {
    const args = words.map((word) => (/^[A-Z]+$/.test(word) ? file(word) : fill(word)))
    const stdin = input === 'MCP' ? mcpMessages(own.origin) : fill(input ?? '')
    const { code, stdout, stderr } = await (input === undefined
      ? runHere(args)
      : runCli(args, { stdin, env, ...(input === 'MCP' ? { inputUntil: '"id":3' } : {}) }))
    expect([what, stdout + stderr === '', code]).toEqual([what, false, expect.any(Number)])
    return [what, tracesIn(stdout), tracesIn(stderr)]
  })
  expect(await Promise.all(ends)).toEqual(runs.map(([what]) => [what, [], []]))
  const asked = own.seen.map(({ url, authorization }) => [url, authorization])
  expect(asked.sort()).toEqual(['/b', '/m', '/r', '/run', '/v'].map((path) => [path, BEARER]))
})

/** A session with the server on standard input: a good call and one that fails. */
function mcpMessages(origin: string): string {
  const clientInfo = { name: 'test', version: '1' }
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }
  const messages = [
    { id: 1, method: 'initialize', params },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/list' },
    {
      id: 3,
      method: 'tools/call',
      params: { name: 'shell', arguments: { command: `env; curl -v ${origin}/m` } },
    },
    { id: 4, method: 'tools/call', params: { name: 'shell', arguments: { command: [CANARY.length] } } },
  ]
  return messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('')
}
