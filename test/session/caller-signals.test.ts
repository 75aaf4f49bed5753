import { afterEach, expect, it, vi } from 'vitest'
import type { CommandSignal, WorkerSignal } from '../../src/contract/signals.ts'
import { CommandLimiter } from '../../src/host/command-limiter.ts'
import { isCallerSignal } from '../../src/session/caller-signal-schema.ts'
import { HostCommands } from '../../src/session/host-commands.ts'
import { LeaseCalls } from '../../src/session/lease-calls.ts'
import { run, runStreamed } from '../../src/session/operations.ts'
import { Remote } from '../../src/session/remote.ts'
import { StreamedOutput } from '../../src/session/streamed-output.ts'
import { endOf } from './support/ends.ts'
import { FakePlace, outcome } from './support/fake-place.ts'

afterEach(() => void vi.restoreAllMocks())

const signal: CommandSignal = {
  kind: 'command',
  id: 1,
  call: 1,
  name: 'weather',
  args: [],
  stdin: new Uint8Array(),
  cwd: '/tmp',
  env: [],
}

/** A lease whose worker the test plays, with functions that end when the test says so. */
function leased({ streaming = true } = {}) {
  const { shell, far, endpoint } = new FakePlace()
  const sent: unknown[] = []
  const ran: { signal: AbortSignal; end: (result: string) => void }[] = []
  const commands = new HostCommands(
    [
      {
        name: 'weather',
        run: (_args, { signal }) => new Promise((end) => ran.push({ signal, end })),
      },
    ],
    100,
  )
  far.on('message', (message) => {
    if (typeof message === 'object' && message !== null && 'signal' in message) sent.push(message.signal)
  })
  const calls = new LeaseCalls(endpoint, {
    commandTimeout: 30,
    allowance: 0,
    maxPending: 100,
    commandLimiter: new CommandLimiter(8).turns(),
    streaming,
    endsStuck: false,
    onCheckpoint: undefined,
    onAnswered: () => true,
    hostCommands: () => commands,
    onInterrupt: 'keep',
    interrupt: () => undefined,
    onLost: () => undefined,
    onEgress: () => undefined,
    onConflicts: () => undefined,
    onClosed: () => undefined,
  })
  const remote = new Remote(calls)
  const tell = async (...signals: readonly (WorkerSignal | object)[]) => {
    for (const signal of signals) far.postMessage({ signal })
    await new Promise(setImmediate)
    await new Promise(setImmediate)
  }
  return { shell, calls, remote, tell, sent, ran }
}

const answered = (id: number, stdout: string, exitCode = 0, stderr = '') => ({
  kind: 'answer',
  id,
  answer: { exitCode, stdout: new TextEncoder().encode(stdout), stderr: new TextEncoder().encode(stderr) },
})

it('a function runs for a call in flight alone, and once for each request', async () => {
  const { remote, shell, tell, sent, ran } = leased()
  await tell(signal)
  expect(ran).toEqual([])
  const call = remote.call(run({ command: 'wait' }))
  await tell(signal, signal, { ...signal, id: 2, name: 'toString' }, { ...signal, id: 3, call: 2 })
  expect(ran.length).toBe(1)
  ran[0]?.end('sunny')
  await tell()
  expect(sent).toEqual([answered(2, '', 127, 'toString: command not found\n'), answered(1, 'sunny')])
  shell.answer('wait')
  await call
})

it('a function stops with its call, and its late result is ignored', async () => {
  const { remote, shell, calls, tell, sent, ran } = leased()
  const abort = new AbortController()
  const call = endOf(remote.call(run({ command: 'wait' }), { signal: abort.signal }))
  await tell(signal)
  abort.abort()
  expect(ran[0]?.signal.aborted).toBe(true)
  expect(await call).toEqual(['ABORTED', expect.any(String)])
  await tell({ ...signal, id: 2 })
  expect([ran.length, sent]).toEqual([1, [answered(1, '', 130), answered(2, '', 130)]])
  ran[0]?.end('late')
  await tell()
  expect(sent.length).toBe(2)
  shell.answer('wait')
  await tell()
  expect(calls.inFlight.size).toBe(0)
})

it('functions end with their command, their reply and their session', async () => {
  const { remote, shell, calls, tell, sent, ran } = leased()
  const first = remote.call(run({ command: 'wait 1' }))
  const second = endOf(remote.call(run({ command: 'wait 2' })))
  await tell(signal, { ...signal, id: 2 }, { ...signal, id: 3, call: 2 })
  await tell({ kind: 'commandEnd', id: 1 })
  expect(ran.map(({ signal }) => signal.aborted)).toEqual([true, false, false])
  shell.answer('wait 1')
  await first
  expect(ran.map(({ signal }) => signal.aborted)).toEqual([true, true, false])
  calls.lose({ code: 'WORKER_EXITED', message: 'it ended' })
  expect(ran.map(({ signal }) => signal.aborted)).toEqual([true, true, true])
  expect(await second).toEqual(['WORKER_LOST', expect.any(String)])
  for (const { end } of ran) end('late')
  await tell()
  expect(sent).toEqual([])
})

it('functions that do not stop are bounded', async () => {
  const { remote, shell, tell, sent, ran } = leased()
  const call = remote.call(run({ command: 'wait' }))
  for (let id = 1; id <= 70; id++) await tell({ ...signal, id }, { kind: 'commandEnd', id })
  expect(ran.length).toBe(64)
  expect(sent[0]).toEqual(
    answered(65, '', 1, 'weather: 64 commands of the caller still run; wait for some of them\n'),
  )
  shell.answer('wait')
  await call
})

it('signals of another shape or size are ignored', () => {
  const good: readonly object[] = [
    signal,
    { kind: 'output', call: 1, stream: 'stdout', text: 'x' },
    { kind: 'commandEnd', id: 1 },
    { kind: 'fileDone', id: 1, outcome: { ok: true, value: null } },
    { kind: 'fileDone', id: 1, outcome: { ok: true, value: new Uint8Array(1) } },
  ]
  const bad: readonly unknown[] = [
    null,
    'command',
    { ...signal, id: -1 },
    { ...signal, id: '1' },
    { ...signal, args: 'a' },
    { ...signal, args: new Array(2) },
    { ...signal, args: [1] },
    { ...signal, args: new Array(100_001).fill('') },
    { ...signal, args: ['x'.repeat(2 ** 23 + 1)] },
    { ...signal, stdin: 'x' },
    { ...signal, stdin: { byteLength: 1 } },
    { ...signal, stdin: new Uint8Array(new SharedArrayBuffer(1)) },
    { ...signal, env: [['A']] },
    { ...signal, env: [['A', 1]] },
    { ...signal, cwd: undefined },
    { kind: 'output', call: 1, stream: 'stdin', text: 'x' },
    { kind: 'output', call: 1, stream: 'stdout', text: '' },
    { kind: 'fileDone', id: 1, outcome: { ok: true, value: 'text' } },
    { kind: 'fileDone', id: 1, outcome: { ok: false, error: { code: 'CLOSED', message: '' } } },
    { kind: 'fileDone', id: 1 },
  ]
  expect(good.map((signal) => isCallerSignal({ signal }))).toEqual(good.map(() => true))
  expect(bad.map((signal) => isCallerSignal({ signal }))).toEqual(bad.map(() => false))
})

it('streamed output is read in order, and the result brings the rest', async () => {
  const { remote, shell, tell } = leased()
  const output = new StreamedOutput(100)
  const call = remote.call(runStreamed({ command: 'wait' }, output))
  const chunk = (text: string, call = 1) => ({ kind: 'output', call, stream: 'stdout', text })
  await tell(chunk('a'), chunk('strange', 2), chunk('b'), chunk('x'.repeat(100)))
  shell.answer('wait', outcome('abcd'))
  output.end(await call)
  await tell(chunk('late'))
  const read: string[] = []
  for await (const { data } of output.read()) read.push(data)
  expect(read).toEqual(['a', 'b', 'cd'])
})

it('a result that does not continue what was streamed breaks the contract', async () => {
  const { remote, shell, tell, calls } = leased()
  const call = endOf(remote.call(runStreamed({ command: 'wait' }, new StreamedOutput(100))))
  await tell({ kind: 'output', call: 1, stream: 'stdout', text: 'a' })
  shell.answer('wait', outcome('b'))
  expect(await call).toEqual(['PROTOCOL', expect.any(String)])
  expect(calls.ended).toBe(true)
})

it('output of an engine that does not stream is not taken', async () => {
  const { remote, shell, tell } = leased({ streaming: false })
  const call = remote.call(runStreamed({ command: 'wait' }, new StreamedOutput(100)))
  await tell({ kind: 'output', call: 1, stream: 'stdout', text: 'a' })
  shell.answer('wait', outcome('b'))
  expect((await call).stdout).toBe('b')
})
