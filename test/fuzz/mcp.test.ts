import { once } from 'node:events'
import { connect } from 'node:net'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import fc from 'fast-check'
import { afterAll, beforeAll, expect } from 'vitest'
import { ShellHost } from '../../src/index.ts'
import { type McpHttpServer, type McpStdioServer, serveHttp, serveStdio } from '../../src/mcp/index.ts'
import { until, within } from '../faults/helpers.ts'
import { fuzz } from './support/fuzz.ts'
import { oddNumber, oddText } from './support/junk.ts'

interface Answer {
  readonly jsonrpc?: unknown
  readonly id?: unknown
  readonly result?: Readonly<Record<string, unknown>>
  readonly error?: { readonly code: unknown; readonly message: unknown }
}

const host = new ShellHost({ isolation: 'shared' })
const [stdin, stdout] = [new PassThrough(), new PassThrough()]
const answers = new Map<unknown, Answer[]>()
let stdio: McpStdioServer
let http: McpHttpServer
let lastId = 0

function send(message: unknown): void {
  stdin.write(`${JSON.stringify(message)}\n`)
}

function request(method: string, params?: unknown): number {
  send({ jsonrpc: '2.0', id: ++lastId, method, params })
  return lastId
}

const initialize = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
}

beforeAll(async () => {
  let rest = ''
  stdout.on('data', (data: Buffer) => {
    const lines = `${rest}${data}`.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const answer: Answer = JSON.parse(line)
      answers.set(answer.id, [...(answers.get(answer.id) ?? []), answer])
    }
  })
  stdio = await serveStdio({ host, stdin, stdout, sandbox: { timeout: 1 } })
  http = await serveHttp({ host, maxBodyBytes: 100_000 })
  request('initialize', initialize)
  send({ jsonrpc: '2.0', method: 'notifications/initialized' })
})

afterAll(async () => {
  await stdio.close()
  await http.close()
  await host.close()
})

const data = fc.oneof(
  oddText,
  oddNumber,
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom('/tmp/a', '/nope', 'a', 1),
)
const argumentsOf = fc.dictionary(
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.constantFrom(
        'command',
        'path',
        'content',
        'timeout',
        'code',
        'language',
        'old',
        'new',
        'edits',
      ),
    },
    { weight: 1, arbitrary: oddText },
  ),
  data,
  { maxKeys: 4 },
)
const tools = [
  'shell',
  'read_file',
  'write_file',
  'edit_file',
  'list_files',
  'run_code',
  'nosuch',
  '__proto__',
]
const methods = [
  'ping',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/read',
  'nosuch',
  'logging/setLevel',
]
const asked = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.tuple(
      fc.constant('tools/call'),
      fc.record({ name: fc.constantFrom(...tools), arguments: argumentsOf }),
    ),
  },
  fc.tuple(
    fc.constant('resources/read'),
    fc.record({
      uri: fc.oneof(
        oddText,
        oddText.map((path) => `sandbox://${path}`),
      ),
    }),
  ),
  fc.tuple(fc.constantFrom(...methods), fc.oneof(argumentsOf, fc.constant(undefined))),
)
const noise = fc.oneof(
  oddText,
  fc.jsonValue().map((value) => JSON.stringify(value)),
  fc
    .record(
      { jsonrpc: data, id: data, method: data, params: data, result: data, error: data },
      { requiredKeys: [] },
    )
    .map((value) => JSON.stringify(value)),
  fc.constantFrom(
    '['.repeat(20_000),
    '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}',
  ),
)

const told = { results: 0, errors: 0, failures: 0 }

fuzz({
  target: 'mcp',
  title: 'each request is answered, once, by a result, a failure or a protocol error; the server lives on',
  cases: 80,
  input: fc.array(fc.oneof({ weight: 4, arbitrary: asked }, { weight: 1, arbitrary: noise }), {
    minLength: 1,
    maxLength: 4,
  }),
  examples: [
    [
      ['tools/call', { name: 'read_file', arguments: { path: '/nope' } }],
      ['nosuch', undefined],
    ],
  ],
  holds: async (messages) => {
    answers.clear()
    const ids: number[] = []
    for (const message of messages) {
      if (typeof message === 'string') stdin.write(`${message.replaceAll('\n', ' ')}\n`)
      else {
        const [method, params] = message
        ids.push(request(method, params))
      }
    }
    ids.push(request('tools/call', { name: 'shell', arguments: { command: 'echo well' } }))
    await until(() => ids.every((id) => answers.has(id)))
    for (const id of ids) expect(answers.get(id)).toHaveLength(1)
    for (const answer of [...answers.values()].flat()) expectAnswer(answer)
  },
  ends: () => Object.values(told),
})

function expectAnswer({ jsonrpc, result, error }: Answer): void {
  expect(jsonrpc).toBe('2.0')
  if (error !== undefined) {
    told.errors += 1
    expect(Number.isInteger(error.code)).toBe(true)
    expectText(error.message)
    return
  }
  if (result?.['isError'] !== true) {
    told.results += 1
    return
  }
  told.failures += 1
  expect(result['structuredContent']).toBe(undefined)
  expectText(JSON.stringify(result['content']))
}

function expectText(message: unknown): void {
  if (typeof message !== 'string') throw new Error('a message that is no text')
  expect(message.length).toBeLessThan(30_000)
  expect(message).not.toMatch(/\\n\s+at |TypeError/)
}

const line = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      'POST /mcp HTTP/1.1',
      'GET /mcp HTTP/1.1',
      'DELETE /mcp HTTP/1.1',
      'PUT / HTTP/1.0',
    ),
  },
  oddText.map((path) => `POST ${path} HTTP/1.1`),
  oddText,
)
const header = fc.oneof(
  fc.constantFrom(
    'host: 127.0.0.1',
    'host: evil.example',
    'content-type: application/json',
    'accept: application/json, text/event-stream',
    'mcp-session-id: nosuch',
    'origin: http://evil.example',
    'authorization: Bearer x',
    'transfer-encoding: chunked',
    'expect: 100-continue',
    'mcp-protocol-version: 1',
  ),
  fc.tuple(oddText, oddText).map(([name, value]) => `${name}: ${value}`),
)
const body = fc.oneof(
  fc.constant(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: initialize })),
  fc.jsonValue().map((value) => JSON.stringify(value)),
  oddText,
)

fuzz({
  target: 'mcp',
  title: 'whatever bytes come over HTTP, the answer is HTTP and the server lives on',
  cases: 50,
  input: fc.tuple(line, fc.array(header, { maxLength: 6 }), body, fc.boolean()),
  holds: async ([first, headers, content, announced]) => {
    const length = announced ? [`content-length: ${Buffer.byteLength(content)}`] : []
    const answer = await exchange(
      [first, ...headers, ...length, 'connection: close', '', content].join('\r\n'),
    )
    if (answer !== '') expect(answer).toMatch(/^HTTP\/1\.1 (?:100|200|202|204|4\d\d) /)
    expect(answer).not.toMatch(/\n\s+at |TypeError/)
    const alive = await exchange('GET /nosuch HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n')
    expect(alive).toMatch(/^HTTP\/1\.1 404 /)
  },
})

async function exchange(bytes: string): Promise<string> {
  const { port } = new URL(http.url)
  const socket = connect(Number(port), '127.0.0.1')
  socket.on('error', () => undefined) // The server may cut off who writes nonsense.
  await once(socket, 'connect')
  socket.end(bytes)
  return within(60, text(socket)).catch(() => '')
}
