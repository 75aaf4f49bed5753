import { PassThrough } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { type ServeStdioOptions, serveStdio } from '../../src/mcp/index.ts'
import { within } from '../faults/helpers.ts'
import { sharedHost, until } from './helpers.ts'

/** A server on streams of this process; `answers` are the messages it has sent. */
async function pipes(options: ServeStdioOptions = {}) {
  const [stdin, stdout, host] = [new PassThrough(), new PassThrough(), sharedHost()]
  const answers: { readonly id?: unknown; readonly result?: unknown; readonly error?: unknown }[] = []
  let rest = ''
  stdout.on('data', (data: Buffer) => {
    const lines = `${rest}${data}`.split('\n')
    rest = lines.pop() ?? ''
    answers.push(...lines.map((line) => JSON.parse(line)))
  })
  const log: string[] = []
  const server = await serveStdio({ host, stdin, stdout, log: (line) => log.push(line), ...options })
  onTestFinished(() => server.close())
  const send = (message: unknown) => stdin.write(`${JSON.stringify(message)}\n`)
  send({
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  })
  send({ jsonrpc: '2.0', method: 'notifications/initialized' })
  await until(() => answers.length === 1)
  const run = (id: number, command: string) =>
    send({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'shell', arguments: { command } } })
  return { server, host, stdin, stdout, answers, log, send, run }
}

test('what is no message is told to the log, and the session goes on', async () => {
  const { stdin, answers, log, run } = await pipes()
  for (const line of ['{', 'null', '[]', '{"jsonrpc":"2.0"}', '{"id":1}', '\u0000', ''])
    stdin.write(`${line}\n`)
  run(1, 'echo well')
  await until(() => answers.length === 2)
  expect(answers[1]).toMatchObject({ id: 1, result: { structuredContent: { stdout: 'well\n' } } })
  expect(log).toHaveLength(7)
  expect(log[1]).toBe('A message was not understood, or not sent: it is no message of JSON-RPC 2.0.')
  expect(log.every((line) => line.startsWith('A message was not understood') && !line.includes('\n'))).toBe(
    true,
  )
})

test('a line without end closes the server, not the process', async () => {
  const { server, stdin, host, run, answers } = await pipes()
  run(1, 'true')
  await until(() => answers.length === 2)
  stdin.write('x'.repeat(11 * 2 ** 20))
  await within(60, server.closed)
  expect(host.list()).toEqual([])
})

test('no more input is read while much of it waits, and all of it is answered', async () => {
  const { stdin, send, run, answers } = await pipes()
  run(1, 'sleep 1')
  const content = 'x'.repeat(9 * 2 ** 20)
  const args = { path: '/tmp/large', content }
  for (let id = 2; id <= 10; id++)
    send({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'write_file', arguments: args } })
  await until(() => stdin.isPaused())
  expect(stdin.readableLength + stdin.writableLength).toBeGreaterThan(content.length / 2)
  await until(() => answers.length === 11)
  expect(answers.slice(1).map(({ result }) => typeof result)).toEqual(Array(10).fill('object'))
})

test('a call under way is answered when the input ends, if it does not take long', async () => {
  const { server, stdin, host, run, answers } = await pipes()
  run(1, 'true')
  await until(() => answers.length === 2)
  run(2, 'sleep 0.3; echo finished')
  stdin.end()
  await within(60, server.closed)
  expect(answers[2]).toMatchObject({ id: 2, result: { structuredContent: { stdout: 'finished\n' } } })
  expect(host.list()).toEqual([])
})

test('a call that takes long is given up when the input ends', async () => {
  const { server, stdin, host, run, answers } = await pipes({ sandbox: { onInterrupt: 'reset' } })
  run(1, 'true')
  await until(() => answers.length === 2)
  run(2, 'sleep 25')
  stdin.end()
  await within(60, server.closed)
  expect(answers).toHaveLength(2)
  expect(host.list()).toEqual([])
})

test('a client that does not read any more closes the server', async () => {
  const { server, stdout, host, run, answers } = await pipes()
  run(1, 'true')
  await until(() => answers.length === 2)
  stdout.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))
  await within(60, server.closed)
  expect(host.list()).toEqual([])
})

test('a config that is not valid is refused before anything is served', async () => {
  await expect(serveStdio({ sandbox: { timeout: -1 } })).rejects.toMatchObject({ field: 'timeout' })
})
