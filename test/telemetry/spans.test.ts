import { SpanKind } from '@opentelemetry/api'
import { describe, expect, it, vi } from 'vitest'
import type { HostedSandbox } from '../../src/index.ts'
import { instrument } from '../../src/otel/index.ts'
import { endOf, makeHost } from '../faults/helpers.ts'
import { sharedHost } from '../host/helpers.ts'
import { startServer } from '../strands-shell/support/http-server.ts'
import { MemoryStore } from '../support/memory-store.ts'
import { about, command, FakeHost } from './support/fake-host.ts'
import { shown, timesOf, tracingSdk } from './support/otel-sdk.ts'

type Call = (sandbox: HostedSandbox) => unknown

/** Every kind of call, and the names of the spans that it makes. */
const calls: readonly (readonly [call: Call, spans: readonly string[]])[] = [
  [(sandbox) => sandbox.execute('true'), ['strands_shell.command']],
  [(sandbox) => sandbox.executeMany(['true', 'true']), ['strands_shell.command', 'strands_shell.command']],
  [(sandbox) => sandbox.executeCode('true', 'sh'), ['strands_shell.code']],
  [
    async (sandbox) => {
      for await (const event of sandbox.executeStreaming('true')) void event
    },
    ['strands_shell.command'],
  ],
  [(sandbox) => endOf(sandbox.execute('sleep 1', { timeout: 0.01 })), ['strands_shell.command']],
  [
    async (sandbox) => {
      await sandbox.writeText('/tmp/a', 'a')
      await sandbox.exists('/tmp/none')
    },
    ['strands_shell.file.write', 'strands_shell.file.stat'],
  ],
]

describe('a span', () => {
  it.each(['bash', 'strands'] as const)(
    'is below that of its caller, one of 20 at once (%s)',
    async (shell) => {
      const { tracerProvider, under, spans } = tracingSdk()
      const host = sharedHost()
      const stop = instrument(host, { tracerProvider })
      const sandboxes = await Promise.all([host.open({ shell }), host.open({ shell })])
      const opened = spans().length
      expect(opened).toBe(2)
      const before = Date.now()
      const callers = Array.from({ length: 20 }, (_, index) => {
        const [call, names] = calls[index % calls.length] ?? [() => undefined, []]
        const [first, second] = sandboxes
        const children = under(`caller ${index}`, () => call(index % 2 === 0 ? first : second))
        return children.then((found) =>
          expect(found.map(({ name }) => name).sort()).toEqual([...names].sort()),
        )
      })
      await Promise.all(callers)
      for (const span of spans().slice(opened)) {
        const [start, end] = timesOf(span)
        expect([start >= before, end >= start, end < Date.now() + 1]).toEqual([true, true, true])
      }
      stop.stop()
      const told = spans().length
      await sandboxes[0].execute('true')
      expect(spans()).toHaveLength(told)
    },
  )

  it('of a command has its text, status and sandbox', async () => {
    const { tracerProvider, under } = tracingSdk()
    const host = sharedHost()
    instrument(host, { tracerProvider })
    const sandbox = await host.open({ shell: 'bash', labels: { tenant: 't' } }, { id: 'named' })
    const of = {
      'strands_shell.sandbox.id': 'named',
      'strands_shell.sandbox.number': expect.any(Number),
      'strands_shell.shell': 'bash',
      'strands_shell.isolation': 'shared',
      'strands_shell.generation': 1,
      'strands_shell.label.tenant': 't',
    }
    const [failed] = await under('failed', () => sandbox.execute('echo a; exit 3'))
    expect(failed && shown(failed)).toEqual([
      'strands_shell.command',
      'ok',
      {
        ...of,
        'process.command_line': 'echo a; exit 3',
        'process.exit.code': 3,
        'strands_shell.command.length': 14,
        'strands_shell.outcome': 'nonzero',
        'strands_shell.wait': expect.any(Number),
        'strands_shell.stdout.bytes': 2,
        'strands_shell.stderr.bytes': 0,
        'strands_shell.truncated': false,
        'strands_shell.changed': 0,
      },
    ])
    const [code] = await under('code', () => sandbox.executeCode('echo 1', 'sh'))
    expect(code && shown(code)).toMatchObject([
      'strands_shell.code',
      'ok',
      { 'strands_shell.code': 'echo 1', 'strands_shell.code.language': 'sh', 'process.exit.code': 0 },
    ])
    const [late] = await under('late', () => endOf(sandbox.execute('sleep 9', { timeout: 0.02 })))
    expect(late && shown(late)).toMatchObject([
      'strands_shell.command',
      'error',
      { 'error.type': 'TIMEOUT', 'strands_shell.outcome': 'TIMEOUT' },
    ])
    const [file] = await under('file', () => sandbox.writeText('/tmp/a', 'four'))
    expect(file && shown(file)).toEqual([
      'strands_shell.file.write',
      'ok',
      {
        ...of,
        ...{ 'file.path': '/tmp/a', 'strands_shell.file.operation': 'write', 'strands_shell.file.bytes': 4 },
        'strands_shell.denied': false,
      },
    ])
    const [none] = await under('none', () => endOf(sandbox.readFile('/none')))
    expect(none && shown(none)).toMatchObject([
      'strands_shell.file.read',
      'error',
      { 'file.path': '/none', 'error.type': 'PATH_NOT_FOUND' },
    ])
  })

  it('of each command of one call has its own time', async () => {
    const { tracerProvider, under } = tracingSdk()
    const host = sharedHost()
    instrument(host, { tracerProvider })
    const sandbox = await host.open({ shell: 'bash' })
    const spans = await under('many', () => sandbox.executeMany(['true', 'true', 'sleep 3']))
    const ends = spans.map((span) => timesOf(span)[1])
    const [first = 0, second = 0, third = 0] = ends
    expect([second >= first, third - second >= 2900, second - first < 2900]).toEqual([true, true, true])
  })

  it('has no text of a command where that is not wanted', () => {
    const { tracerProvider, spans } = tracingSdk()
    const host = new FakeHost()
    instrument(host, { tracerProvider, commands: false })
    host.tell('command', { ...about('command'), ...command, command: 'hush' })
    host.tell('command', { ...about('command'), ...command, command: 'hush', language: 'sh' })
    expect(spans()).toHaveLength(2)
    expect(JSON.stringify(spans().map(shown))).not.toContain('hush')
  })

  it('of an opening is below the first call that needed it; one of a refused opening is an error', async () => {
    const { tracerProvider, under } = tracingSdk()
    const host = sharedHost({ maxSandboxes: 1, maxQueued: 0, hibernate: { store: new MemoryStore() } })
    instrument(host, { tracerProvider })
    let sandbox: HostedSandbox | undefined
    const opened = await under('open', async () => {
      sandbox = await host.getOrOpen('a', { checkpoint: 'never' })
    })
    expect(opened.map(({ name }) => name)).toEqual(['strands_shell.open'])
    await sandbox?.hibernate()
    const [first, second] = await Promise.all(
      [1, 2].map((number) => under(`wake ${number}`, () => sandbox?.execute('true'))),
    )
    expect(first?.map(({ name }) => name).sort()).toEqual(['strands_shell.command', 'strands_shell.wake'])
    expect(second?.map(({ name }) => name)).toEqual(['strands_shell.command'])
    const [refused] = await under('refused', () => endOf(host.open()))
    expect(refused && shown(refused)).toMatchObject([
      'strands_shell.open',
      'error',
      { 'error.type': 'HOST_SATURATED' },
    ])
  })

  it('of a request to the network is below the call of its command', async () => {
    const server = await startServer((request, response) => {
      response.statusCode = request.url === '/none' ? 404 : 200
      response.end('hello')
    })
    const { tracerProvider, under, spans } = tracingSdk()
    const host = makeHost({ isolation: 'process' })
    instrument(host, { tracerProvider })
    const sandbox = await host.open({ allowedUrls: [`${server.origin}/`] })
    const script = `curl -s -d abc '${server.origin}/a?key=hush'; curl -s ${server.origin}/none; curl -s https://no.example/b`
    await under('caller', () => sandbox.execute(script))
    const requests = () => spans().filter(({ kind }) => kind === SpanKind.CLIENT)
    await vi.waitFor(() => expect(requests()).toHaveLength(3), { timeout: 60_000 })
    const [parent] = spans().filter(({ name }) => name === 'strands_shell.command')
    expect(parent?.parentSpanContext).toBeDefined()
    for (const { parentSpanContext } of requests())
      expect(parentSpanContext?.spanId).toBe(parent?.parentSpanContext?.spanId)
    const { hostname, port } = new URL(server.origin)
    const to = { 'server.address': hostname, 'server.port': Number(port) }
    const byName = (name: string) => requests().filter((span) => span.name === name)
    expect(byName('POST').map(shown)).toMatchObject([
      [
        'POST',
        'ok',
        {
          ...to,
          'http.request.method': 'POST',
          'url.full': `${server.origin}/a`,
          'http.response.status_code': 200,
          'http.request.body.size': 3,
          'http.response.body.size': 5,
          'strands_shell.cell': 'cell-1',
          'strands_shell.shell': 'strands',
        },
      ],
    ])
    expect(byName('GET').map(shown)).toMatchObject([
      ['GET', 'error', { 'http.response.status_code': 404, 'error.type': '404' }],
    ])
    expect(byName('CONNECT').map(shown)).toMatchObject([
      [
        'CONNECT',
        'error',
        { 'server.address': 'no.example', 'server.port': 443, 'error.type': 'NOT_ALLOWED' },
      ],
    ])
  })

  it('of a request of no certain sandbox names none; a method that nobody knows is no name of a span', () => {
    const { tracerProvider, spans } = tracingSdk()
    const host = new FakeHost()
    instrument(host, { tracerProvider })
    const request = { cell: undefined, method: 'BREW', url: '', candidates: [], allowed: false } as const
    host.tell('egress', { ...about('egress'), sandbox: 0, ...request, reason: 'UNAUTHORIZED' })
    expect(spans().map(shown)).toEqual([
      [
        'HTTP',
        'error',
        {
          'http.request.method': '_OTHER',
          'http.request.method_original': 'BREW',
          'error.type': 'UNAUTHORIZED',
        },
      ],
    ])
  })
})
