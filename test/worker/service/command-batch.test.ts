import { expect, it } from 'vitest'
import type { CommandOutput, Outcome } from '../../../src/contract/shell-api.ts'
import { CommandBatch } from '../../../worker/service/command-batch.ts'

const output = (stdout = '', exitCode = 0): CommandOutput => ({
  ...{ exitCode, stdout, stderr: '' },
  ...{ timedOut: false, truncated: false, durationMs: 0 },
})
const conflict = { path: '/w/a', hostPath: '/host/a' }

it('leaves the rest to another call once the output is large', async () => {
  const large = async (): Promise<Outcome<CommandOutput>> => ({ ok: true, value: output('x'.repeat(3e6)) })
  const outcome = await new CommandBatch(false).run(['a', 'b', 'c', 'd', 'e'], large)
  expect(outcome).toMatchObject({ ok: true, value: { length: 3 } })
})

it('leaves the rest to another call once the commands have taken their time', async () => {
  let time = 1000
  const slow = async (): Promise<Outcome<CommandOutput>> => {
    time += 125
    return { ok: true, value: output() }
  }
  const batch = new CommandBatch(false, undefined, () => time)
  // 250 ms are not too many yet.
  expect(await batch.run(['a', 'b', 'c', 'd'], slow)).toMatchObject({ ok: true, value: { length: 3 } })
})

it('gives all conflicts that were met, also with the error that ended it', async () => {
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

it('ends at the first failure only where it is asked to', async () => {
  const failing = async (): Promise<Outcome<CommandOutput>> => ({ ok: true, value: output('', 1) })
  expect(await new CommandBatch(true).run(['a', 'b'], failing)).toMatchObject({ value: { length: 1 } })
  expect(await new CommandBatch(false).run(['a', 'b'], failing)).toMatchObject({ value: { length: 2 } })
})

it('begins no further command once the caller has given the call up', async () => {
  let begun = 0
  const batch = new CommandBatch(false, () => begun === 2)
  await batch.run(['a', 'b', 'c'], async () => {
    begun += 1
    return { ok: true, value: output() }
  })
  expect(begun).toBe(2)
})
