import { afterEach, expect, it, vi } from 'vitest'
import type { CommandOutput, Outcome } from '../../../src/contract/shell-api.ts'
import { CommandBatch } from '../../../worker/service/command-batch.ts'

afterEach(() => void vi.useRealTimers())

const output = (stdout = '', exitCode = 0): CommandOutput => ({ exitCode, stdout, stderr: '' })
const conflict = { path: '/w/a', hostPath: '/host/a' }

it('begins no further command once the output is large', async () => {
  const large = async (): Promise<Outcome<CommandOutput>> => ({ ok: true, value: output('x'.repeat(3e6)) })
  const outcome = await new CommandBatch(false).run(['a', 'b', 'c', 'd', 'e'], large)
  expect(outcome).toMatchObject({ ok: true, value: { length: 3 } })
})

it('begins no further command once the commands have taken a quarter of a second', async () => {
  vi.useFakeTimers()
  const slow = async (): Promise<Outcome<CommandOutput>> => {
    vi.advanceTimersByTime(125)
    return { ok: true, value: output() }
  }
  const outcome = await new CommandBatch(false).run(['a', 'b', 'c', 'd'], slow)
  expect(outcome).toMatchObject({ ok: true, value: { length: 3 } })
})

it('reports the conflicts of every command that ran, also with the error that ended the batch', async () => {
  const outcomes: Outcome<CommandOutput>[] = [
    { ok: true, value: output(), conflicts: [conflict] },
    { ok: false, error: { code: 'IO_ERROR', message: 'no' }, conflicts: [conflict] },
  ]
  const outcome = await new CommandBatch(false).run(['a', 'b', 'c'], async () => outcomes.shift() as never)
  expect(outcome).toEqual({
    ok: false,
    error: { code: 'IO_ERROR', message: 'no' },
    conflicts: [conflict, conflict],
  })
})

it('ends at the first failure only with stopOnFailure', async () => {
  const failing = async (): Promise<Outcome<CommandOutput>> => ({ ok: true, value: output('', 1) })
  expect(await new CommandBatch(true).run(['a', 'b'], failing)).toMatchObject({ value: { length: 1 } })
  expect(await new CommandBatch(false).run(['a', 'b'], failing)).toMatchObject({ value: { length: 2 } })
})
