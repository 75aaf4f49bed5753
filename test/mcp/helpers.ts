import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { expect, onTestFinished } from 'vitest'
import type { ShellHost } from '../../src/index.ts'
import {
  createMcpServer,
  type McpHttpServer,
  type McpServerOptions,
  type ServeHttpOptions,
  serveHttp,
} from '../../src/mcp/index.ts'
import { until as untilWithin } from '../faults/basics.ts'
import { makeHost } from '../faults/helpers.ts'

/** A host of shared workers that the test's end closes. */
export function sharedHost(): ShellHost {
  return makeHost({ isolation: 'shared' })
}

/** A client that the test's end closes. */
export async function connect(transport: Transport): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  onTestFinished(() => client.close())
  await client.connect(transport)
  return client
}

/** A client of a server in this process, and the host whose sandbox it has. */
export async function connectInMemory(
  options: McpServerOptions = {},
  host: ShellHost = sharedHost(),
): Promise<{ readonly client: Client; readonly host: ShellHost }> {
  const [near, far] = InMemoryTransport.createLinkedPair()
  await createMcpServer(host, options).connect(far)
  return { client: await connect(near), host }
}

/** A server over HTTP that the test's end closes. */
export async function serve(options: ServeHttpOptions = {}): Promise<McpHttpServer> {
  const server = await serveHttp({ host: sharedHost(), ...options })
  onTestFinished(() => server.close())
  return server
}

/** A client of a server over HTTP, and its transport. */
export async function connectOverHttp(
  url: string,
  token?: string,
): Promise<{ readonly client: Client; readonly transport: StreamableHTTPClientTransport }> {
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: bearer(token) },
  })
  return { client: await connect(transport), transport }
}

export function bearer(token?: string): Record<string, string> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` }
}

/** Calls a tool. */
export async function call(
  client: Client,
  name: string,
  given: Record<string, unknown>,
): Promise<CallToolResult> {
  return (await client.callTool({ name, arguments: given })) as CallToolResult
}

/** The text that a tool gave. */
export function textOf({ content }: CallToolResult): string {
  return content.map((part) => (part.type === 'text' ? part.text : `<${part.type}>`)).join('')
}

/** A directory of the host with these files, that the test's end removes. */
export async function directoryOf(files: Readonly<Record<string, string | Buffer>>): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'mcp-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }))
  for (const [name, content] of Object.entries(files)) await writeFile(join(directory, name), content)
  return directory
}

/** Waits for a condition; the deadline is for one that never holds. */
export function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  return untilWithin(holds, 20)
}

/** A client cancels a command that is under way: the request ends at once, the call with it, and the session goes on. */
export async function cancelUnderWay(client: Client, host: ShellHost): Promise<void> {
  await call(client, 'shell', { command: 'true' })
  const gaveUp = new AbortController()
  const command = { name: 'shell', arguments: { command: 'sleep 25' } }
  const pending = client.callTool(command, undefined, { signal: gaveUp.signal })
  await until(() => host.list()[0]?.pending === 1)
  gaveUp.abort(new Error('enough'))
  await expect(pending).rejects.toThrow('enough')
  await until(() => host.list()[0]?.pending === 0)
  expect(textOf(await call(client, 'shell', { command: 'echo next' }))).toBe('next')
}

/** What an agent does: it writes a file, reads it, is refused something, and ends. */
export async function workThrough(client: Client, word: string): Promise<void> {
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toContain('shell')
  const written = await call(client, 'write_file', { path: '/tmp/note', content: `${word}\n` })
  expect(written.isError ?? false).toBe(false)
  expect(textOf(await call(client, 'read_file', { path: '/tmp/note' }))).toContain(word)
  const shell = await call(client, 'shell', { command: 'cat /tmp/note; cd /tmp; exit 3' })
  expect(shell.structuredContent).toMatchObject({ exitCode: 3, stdout: `${word}\n`, stderr: '' })
  expect((await call(client, 'shell', { command: 'pwd' })).structuredContent).toMatchObject({
    stdout: '/tmp\n',
  })
  const refused = await call(client, 'write_file', { path: '/etc/passwd', content: 'x' })
  expect(refused).toMatchObject({ isError: true })
  expect(refused.structuredContent).toBeUndefined()
}
