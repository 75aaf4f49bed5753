import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { expect, onTestFinished, test } from 'vitest'
import type { RunMcpOptions } from '../../src/mcp/cli.ts'
import { within } from '../faults/helpers.ts'
import { program } from '../fixtures/program.ts'
import { call, connect, connectOverHttp, textOf, workThrough } from './helpers.ts'

const fixture = program('test/mcp/fixtures/run-mcp.ts')
const words = (options: RunMcpOptions) => [fixture, JSON.stringify(options)]
const shared: RunMcpOptions = { hostOptions: { isolation: 'shared' } }

function start(
  options: RunMcpOptions,
  env: Readonly<Record<string, string>> = {},
): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, words(options), { env: { ...process.env, ...env } })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  return child
}

/** Where a server says that it listens. */
async function addressOf(child: ChildProcessWithoutNullStreams): Promise<string> {
  let said = ''
  for await (const data of child.stderr.iterator({ destroyOnReturn: false })) {
    said += String(data)
    const url = /^Serving MCP at (\S+)\.$/m.exec(said)?.[1]
    if (url !== undefined) return url
  }
  throw new Error(`The server ended: ${said}`)
}

test('over stdio an agent works in a sandbox, and the process ends with its client', async () => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: words(shared),
    stderr: 'pipe',
  })
  let said = ''
  transport.stderr?.on('data', (data) => {
    said += String(data)
  })
  const client = await connect(transport)
  await workThrough(client, 'over stdio')
  const { pid } = transport
  await client.close()
  expect(() => process.kill(pid ?? 0, 0)).toThrow('ESRCH')
  expect(said).toBe('')
})

test('over stdio it ends with 0 when its input ends, and writes nothing but messages', async () => {
  const child = start(shared)
  const output = Promise.all([text(child.stdout), text(child.stderr)])
  child.stdin.end('{"jsonrpc":"2.0","id":1,"method":"ping"}\nnonsense\n')
  const [code] = await within(60, once(child, 'exit'))
  const [stdout, stderr] = await output
  expect({ code, stdout }).toEqual({ code: 0, stdout: '{"result":{},"jsonrpc":"2.0","id":1}\n' })
  expect(stderr).toMatch(/^A message was not understood.*\n$/)
})

test('over HTTP it takes its token from the environment, and ends gently at a signal', async () => {
  const token = 'a-token-of-the-environment'
  const child = start({ ...shared, http: 0 }, { STRANDS_SHELL_MCP_TOKEN: token })
  const url = await addressOf(child)
  expect((await fetch(url, { method: 'POST' })).status).toBe(401)
  const { client } = await connectOverHttp(url, token)
  await call(client, 'shell', { command: 'true' })
  const pending = call(client, 'shell', { command: 'sleep 1; echo finished' })
  await new Promise((resolve) => setTimeout(resolve, 300))
  child.kill('SIGTERM')
  expect(textOf(await pending)).toBe('finished')
  expect(await within(60, once(child, 'exit'))).toEqual([0, null])
})
