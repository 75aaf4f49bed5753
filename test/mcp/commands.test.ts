import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { BashSandbox } from '../../src/bash/index.ts'
import { commandsFromMcp } from '../../src/mcp/index.ts'
import { result } from '../strands-shell/support/expected.ts'
import { connect } from './helpers.ts'

async function open(): Promise<BashSandbox> {
  const server = new McpServer({ name: 'test', version: '1' })
  server.registerTool(
    'greet',
    { description: 'Greets.', inputSchema: { name: z.string(), times: z.number().int().optional() } },
    ({ name, times = 1 }) => ({ content: [{ type: 'text', text: `Hello ${name}! `.repeat(times).trim() }] }),
  )
  server.registerTool(
    'add',
    { inputSchema: { n: z.array(z.number()) }, outputSchema: { sum: z.number() } },
    ({ n }) => ({
      content: [],
      structuredContent: { sum: n.reduce((sum, one) => sum + one, 0) },
    }),
  )
  server.registerTool('fails', {}, () => ({
    isError: true,
    content: [{ type: 'text', text: 'no such thing' }],
  }))
  server.registerTool('draw', {}, () => ({
    content: [{ type: 'image', data: 'AA==', mimeType: 'image/png' }],
  }))
  const [near, far] = InMemoryTransport.createLinkedPair()
  await server.connect(far)
  const sandbox = await BashSandbox.open({
    isolation: 'worker',
    commands: await commandsFromMcp(await connect(near)),
  })
  onTestFinished(() => sandbox.close())
  return sandbox
}

it('tools of a server are commands that compose', async () => {
  const sandbox = await open()
  expect(
    await sandbox.execute('greet --name "$(greet --name Ada)" | tr a-z A-Z; greet --name B --times 2'),
  ).toEqual(result({ stdout: 'HELLO HELLO ADA!!\nHello B! Hello B!\n' }))
  expect(await sandbox.execute('add --n 1 --n 2.5 | jq .sum; draw | jq -r .mimeType')).toEqual(
    result({ stdout: '3.5\nimage/png\n' }),
  )
})

it('a result that is an error gives exit code 1, wrong words 2', async () => {
  const sandbox = await open()
  expect(await sandbox.execute('fails')).toEqual(result({ exitCode: 1, stderr: 'fails: no such thing\n' }))
  expect(await sandbox.execute('greet --times x')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('greet: --times must be integer, but is x\nusage: greet --name <string>'),
  })
  expect((await sandbox.execute('greet --help')).stdout).toContain('Greets.')
})
