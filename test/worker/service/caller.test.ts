import { expect, it } from 'vitest'
import type { CommandAnswer, CommandCall } from '../../../src/contract/host-commands.ts'
import type { WorkerSignal } from '../../../src/contract/signals.ts'
import { Caller } from '../../../worker/service/caller.ts'
import { FakeEngine } from '../../fixtures/fake-engine.ts'

const call: CommandCall = { name: 'weather', args: ['a'], stdin: new Uint8Array(), cwd: '/', env: [] }
const answer: CommandAnswer = { exitCode: 3, stdout: new Uint8Array([1]), stderr: new Uint8Array() }

function caller(running: number | undefined = 7) {
  const sent: WorkerSignal[] = []
  return {
    sent,
    up: new Caller(
      (signal) => sent.push(signal),
      () => running,
    ),
  }
}

const failed = ({ exitCode, stderr }: CommandAnswer) => [exitCode, new TextDecoder().decode(stderr)]

it('asks for a function and gives its answer once', async () => {
  const { up, sent } = caller()
  const asked = up.command(call, [])
  expect(sent).toEqual([{ kind: 'command', id: 1, call: 7, ...call }])
  up.answered({ kind: 'answer', id: 2, answer })
  up.answered({ kind: 'answer', id: 1, answer })
  up.answered({ kind: 'answer', id: 1, answer: { ...answer, exitCode: 4 } })
  expect(await asked).toBe(answer)
})

it('ends a command when a signal fires, and ignores its late answer', async () => {
  const { up, sent } = caller()
  const abort = new AbortController()
  const asked = up.command(call, [abort.signal])
  abort.abort()
  up.answered({ kind: 'answer', id: 1, answer })
  expect(failed(await asked)).toEqual([130, ''])
  expect(sent.slice(1)).toEqual([{ kind: 'commandEnd', id: 1 }])
  expect(failed(await up.command(call, [abort.signal]))).toEqual([130, ''])
  expect(sent.length).toBe(2)
})

it('refuses what cannot be answered: no call, a blocked caller, too much', async () => {
  expect(failed(await caller(-1).up.command({ ...call, args: ['x'.repeat(2 ** 23 + 1)] }, []))).toEqual([
    1,
    'weather: Argument list too long\n',
  ])
  const up = new Caller(
    () => undefined,
    () => undefined,
  )
  expect(failed(await up.command(call, []))).toEqual([1, expect.stringContaining('only in an open session')])
  const blocked = caller()
  const waits = blocked.up.command(call, [])
  let unblock = (): void => undefined
  blocked.up.block(new Promise<void>((resolve) => (unblock = resolve)))
  expect(failed(await waits)).toEqual([1, expect.stringContaining('sandbox.sync')])
  expect(failed(await blocked.up.command(call, []))).toEqual([1, expect.stringContaining('sandbox.sync')])
  unblock()
  await new Promise(setImmediate)
  const later = blocked.up.command(call, [])
  blocked.up.answered({ kind: 'answer', id: 2, answer })
  expect(await later).toBe(answer)
})

it('reaches files while the command waits, and not after it', async () => {
  const { up, sent } = caller()
  const shell = new FakeEngine()
  const asked = up.command(call, [])
  const content = new Uint8Array([5])
  await up.file({ kind: 'file', id: 1, command: 1, file: { act: 'write', path: '/a', content } }, shell)
  await up.file({ kind: 'file', id: 2, command: 1, file: { act: 'read', path: '/a' } }, shell)
  up.answered({ kind: 'answer', id: 1, answer })
  await asked
  await up.file({ kind: 'file', id: 3, command: 1, file: { act: 'read', path: '/a' } }, shell)
  expect(sent.slice(1)).toEqual([
    { kind: 'fileDone', id: 1, outcome: { ok: true, value: null } },
    { kind: 'fileDone', id: 2, outcome: { ok: true, value: content } },
    { kind: 'fileDone', id: 3, outcome: { ok: false, error: expect.objectContaining({ code: 'IO_ERROR' }) } },
  ])
})

it('settles what waits when the lease is over, and sends nothing more', async () => {
  const { up, sent } = caller()
  const asked = up.command(call, [])
  up.close()
  expect(failed(await asked)).toEqual([130, ''])
  up.output({ stream: 'stdout', text: 'x' })
  expect(failed(await up.command(call, []))[0]).toBe(1)
  expect(sent.length).toBe(1)
})
