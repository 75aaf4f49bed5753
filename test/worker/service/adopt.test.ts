import { MessageChannel, type MessagePort } from 'node:worker_threads'
import * as Comlink from 'comlink'
import nodeEndpoint from 'comlink/dist/esm/node-adapter.mjs'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { CheckpointPart } from '../../../src/contract/checkpoint.ts'
import type { LeaseReply } from '../../../src/contract/lease.ts'
import type { ShellApi } from '../../../src/contract/shell-api.ts'
import type { ShellRecord } from '../../../src/contract/shell-record.ts'
import type { BlockSignal, SignalMessage } from '../../../src/contract/signals.ts'
import { strandsEngine } from '../../../src/engines/strands/strands-engine.ts'
import { createAdopt } from '../../../worker/service/adopt.ts'
import type { LoadEngine } from '../../../worker/service/engine-shell.ts'
import { FakeEngine, fakeCapabilities } from '../../fixtures/fake-engine.ts'

const guards = process.listeners('uncaughtException')
const ports: MessagePort[] = []

afterEach(() => {
  for (const port of ports.splice(0)) port.close()
  for (const listener of process.listeners('uncaughtException')) {
    if (!guards.includes(listener)) process.off('uncaughtException', listener)
  }
})

const afterCalls: ShellRecord = { ...strandsEngine.blank, handsOver: 'call' }

async function adopted(
  load: LoadEngine | undefined,
  record: ShellRecord = strandsEngine.blank,
): Promise<{ reply: LeaseReply; port: MessagePort }> {
  const { port1, port2 } = new MessageChannel()
  ports.push(port1)
  const adopt = createAdopt(load === undefined ? {} : { strands: load })
  const reply = adopt({ port: port2, gate: new SharedArrayBuffer(4), calls: new SharedArrayBuffer(8) })
  port1.postMessage({ engine: { engine: 'strands', kind: 'addon', path: '/engine' }, record })
  return { reply: await reply, port: port1 }
}

/** A fake engine whose shell is served, and the host's view of it. */
async function served(engine = new FakeEngine(), record?: ShellRecord) {
  const { reply, port } = await adopted(async () => engine, record)
  const remote = Comlink.wrap<ShellApi>(nodeEndpoint(port))
  const run = (id: number, command: string) => remote.run(id, { command })
  const begun = (...commands: string[]) => vi.waitFor(() => expect(engine.begun).toEqual(commands))
  return { engine, reply, port, remote, run, begun }
}

const printed = (stdout: string, exitCode = 0) => ({
  ok: true,
  value: { exitCode, stdout, stderr: '', timedOut: false, truncated: false, durationMs: 0 },
})
const dropped = {
  ok: false,
  error: { code: 'IO_ERROR', message: 'The call was taken back before it began.' },
}
const unsupported = (operation: string) => ({
  ok: false,
  error: { code: 'UNSUPPORTED', message: `The engine 'strands' does not support '${operation}'.` },
})

describe('opening a lease', () => {
  it('answers with what the shell and its engine say', async () => {
    const { reply } = await served()
    expect(reply).toEqual({
      ok: true,
      gate: expect.any(SharedArrayBuffer),
      timeout: 7,
      allowance: 3,
      capabilities: fakeCapabilities,
    })
  })

  it('refuses an engine that the worker entry does not have, and closes the port', async () => {
    const { reply, port } = await adopted(undefined)
    expect(reply).toEqual({
      ok: false,
      gate: expect.any(SharedArrayBuffer),
      error: { code: 'ENGINE_UNAVAILABLE', message: "This worker entry has no engine 'strands'." },
    })
    await new Promise((resolve) => port.once('close', resolve))
  })

  it('answers with the error of an engine that cannot be loaded', async () => {
    const { reply } = await adopted(() => Promise.reject(new Error('no such file')))
    expect(reply).toMatchObject({ ok: false, error: { code: 'IO_ERROR', message: 'no such file' } })
  })
})

const part: CheckpointPart = { contents: [], entries: [], forgotten: [], last: true }

describe('calls', () => {
  it('run one at a time, in the order in which they came, signals among them', async () => {
    const { engine, remote, port, run, begun } = await served()
    const { news } = await blockingOn(remote)
    const calls = [run(1, 'hold'), run(2, 'a')]
    block(port, { id: 3, call: { name: 'run', request: { command: 'b' } } })
    calls.push(run(4, 'c'))
    const answer = new Promise((resolve) => news.once('message', resolve))
    await begun('hold')
    engine.release()
    expect(await Promise.all(calls)).toEqual([printed('hold'), printed('a'), printed('c')])
    expect(await answer).toEqual({ id: 3, outcome: printed('b') })
    expect(engine.begun).toEqual(['hold', 'a', 'b', 'c'])
  })

  it('do not run where they are cancelled before they begin', async () => {
    const { engine, remote, run, begun } = await served()
    const calls = [run(1, 'hold'), run(2, 'a'), run(3, 'b')]
    await begun('hold')
    expect([await remote.cancel(2), await remote.cancel(1)]).toEqual([true, false])
    engine.release()
    expect(await Promise.all(calls)).toEqual([printed('hold'), dropped, printed('b')])
    expect(engine.begun).toEqual(['hold', 'b'])
  })

  it('end a batch at the first failure, at a cancel, and not otherwise', async () => {
    const { engine, remote, begun } = await served()
    const many = (id: number, commands: string[], stopOnFailure: boolean) =>
      remote.runMany(id, { commands, stopOnFailure })
    const value = [printed('false', 1).value, printed('a').value]
    expect(await many(1, ['false', 'a'], false)).toEqual({ ok: true, value, conflicts: [] })
    expect(await many(2, ['false', 'a'], true)).toMatchObject({ value: value.slice(0, 1) })
    const stopped = many(3, ['hold', 'a'], false)
    await begun('false', 'a', 'false', 'hold')
    expect(await remote.cancel(3)).toBe(false)
    engine.release()
    expect(await stopped).toMatchObject({ value: [printed('hold').value] })
  })

  it('move file contents to the host and give the buffer of a write back', async () => {
    const { remote } = await served()
    const bytes = new Uint8Array([1, 2, 3])
    const buffer = bytes.slice().buffer
    expect(await remote.writeFile(1, '/a', bytes)).toEqual({ ok: true, value: buffer })
    expect(await remote.readFile(2, '/a')).toEqual({ ok: true, value: bytes })
    expect(await remote.listFiles(3, '/')).toEqual({
      ok: true,
      value: [{ name: '/a', isDir: false, size: 3 }],
    })
  })

  it('answer with what the engine throws, as data', async () => {
    const { run, remote } = await served()
    expect(await run(1, 'refuse')).toEqual({
      ok: false,
      error: { code: 'PERMISSION_DENIED', message: 'no', path: '/a' },
    })
    expect(await run(2, 'throw')).toEqual({
      ok: false,
      error: { code: 'IO_ERROR', message: 'x is not a function' },
    })
    expect(await remote.describe(3)).toMatchObject({ error: { message: 'There is nothing to describe.' } })
    expect(await run(4, 'a')).toEqual(printed('a'))
  })

  it('answer with UNSUPPORTED where the engine lacks the operation', async () => {
    const { remote } = await served()
    expect(await remote.stat(1, '/a')).toEqual(unsupported('stat'))
    expect(await remote.changes(2, undefined)).toEqual(unsupported('changes'))
    expect(await remote.applyChanges(3, { bind: '/a' })).toEqual(unsupported('applyChanges'))
    expect(await remote.restore(4, part)).toEqual(unsupported('restore'))
    expect(await remote.interrupt(5)).toEqual(unsupported('interrupt'))
  })

  it('reach the optional operations of an engine that has them', async () => {
    const stat = { kind: 'file', size: 3, mode: 0o644, modified: undefined } as const
    const { remote } = await served(
      Object.assign(new FakeEngine(), {
        stat: async () => ({ ok: true, value: stat }) as const,
        restore: async () => ({ ok: true, value: null }) as const,
      }),
    )
    expect(await remote.stat(1, '/a')).toEqual({ ok: true, value: stat })
    expect(await remote.restore(2, part)).toEqual({ ok: true, value: null })
  })

  it('hand over what they changed before they are answered', async () => {
    let changed: CheckpointPart[] = [part]
    const checkpoint = async () => changed.splice(0)
    const { remote, run, port } = await served(Object.assign(new FakeEngine(), { checkpoint }), afterCalls)
    const told: unknown[] = []
    port.on('message', (message) => 'signal' in message && told.push(message.signal))
    await run(1, 'a').then(() => told.push('answered'))
    await remote.listFiles(2, '/')
    changed = [{ ...part, contents: [{ id: 1, bytes: new Uint8Array([7]) }] }]
    await remote.readFile(3, '/none')
    expect(told).toEqual([{ kind: 'checkpoint', part }, 'answered'])
    await remote.setEnv(4, 'A', '1')
    expect(told.slice(2)).toEqual([
      { kind: 'checkpoint', part: { ...part, contents: [{ id: 1, bytes: new Uint8Array([7]) }] } },
    ])
  })

  it('hand over nothing by themselves where the record does not say so', async () => {
    const checkpoint = async () => [part]
    const tellAll = async () => ({ ok: true, value: [] }) as const
    const { remote, run, port } = await served(Object.assign(new FakeEngine(), { checkpoint, tellAll }))
    const told: unknown[] = []
    port.on('message', (message) => 'signal' in message && told.push(message.signal))
    await run(1, 'a')
    expect(told).toEqual([])
    await remote.checkpoint(2)
    expect(told).toEqual([{ kind: 'checkpoint', part }])
  })

  it('tell that no checkpoint can be kept where one fails', async () => {
    const checkpoint = () => Promise.reject(new Error('no'))
    const { run, port } = await served(Object.assign(new FakeEngine(), { checkpoint }), afterCalls)
    const told: unknown[] = []
    port.on('message', (message) => 'signal' in message && told.push(message.signal))
    expect(await run(1, 'a')).toEqual(printed('a'))
    expect(told).toEqual([{ kind: 'checkpoint', part: null }])
  })

  it('are interrupted only while they run', async () => {
    const engine = new FakeEngine()
    const { remote, run, begun } = await served(Object.assign(engine, { interrupt: () => engine.release() }))
    const calls = [run(1, 'hold'), run(2, 'a')]
    await begun('hold')
    expect(await remote.interrupt(2)).toEqual({ ok: true, value: false })
    expect(engine.begun).toEqual(['hold'])
    expect(await remote.interrupt(1)).toEqual({ ok: true, value: true })
    expect(await Promise.all(calls)).toEqual([printed('hold'), printed('a')])
    expect(await remote.interrupt(1)).toEqual({ ok: true, value: false })
  })
})

describe('cancelling a call that runs', () => {
  it('interrupts it: one that waits reads no shared word', async () => {
    const engine = new FakeEngine()
    const { remote, run, begun } = await served(Object.assign(engine, { interrupt: () => engine.release() }))
    const calls = [run(1, 'hold'), run(2, 'a')]
    await begun('hold')
    expect(await remote.cancel(1)).toBe(false)
    expect(await Promise.all(calls)).toEqual([printed('hold'), printed('a')])
  })
})

describe('the end of a lease', () => {
  it('closes the shell once and drops what waits', async () => {
    const { engine, remote, port, run, begun } = await served()
    const calls = [run(1, 'hold'), run(2, 'a')]
    await begun('hold')
    expect(await remote.close()).toBe(false)
    engine.release()
    expect(await Promise.all([...calls, run(3, 'b')])).toEqual([printed('hold'), dropped, dropped])
    expect(await remote.close()).toBe(true)
    port.close()
    await new Promise(setImmediate)
    expect(engine.begun).toEqual(['hold', 'close'])
  })

  it('closes the shell where the host closes the port', async () => {
    const { port, begun } = await served()
    port.close()
    await begun('close')
  })

  it('is signalled to the host, and to its thread that blocks, where the engine says so', async () => {
    const { engine, remote, port } = await served()
    const { news } = await blockingOn(remote)
    const told = Promise.all(
      [port, news].map((end) => new Promise((resolve) => end.once('message', resolve))),
    )
    const loss = { code: 'DEADLINE_IGNORED', message: 'too late' } as const
    engine.lose(loss)
    expect(await told).toEqual([{ signal: { kind: 'lost', loss } }, { lost: loss }])
  })
})

/** Opens the way for calls that a thread blocks on. */
async function blockingOn(remote: Comlink.Remote<ShellApi>): Promise<{ news: MessagePort }> {
  const { port1, port2 } = new MessageChannel()
  ports.push(port1)
  await remote.openBlocking(Comlink.transfer(port2, [port2]), new SharedArrayBuffer(8))
  return { news: port1 }
}

function block(port: MessagePort, signal: Omit<BlockSignal, 'kind'>): void {
  port.postMessage({ signal: { kind: 'block', ...signal } } satisfies SignalMessage)
}
