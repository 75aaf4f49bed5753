import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { SandboxClosedError } from '../../src/sandbox/errors.ts'
import { type CallAllowances, CallsInFlight } from '../../src/session/calls-in-flight.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const fail = () => true
const command = { kind: 'command', fail } as const
const other = { kind: 'other', fail } as const

/** Calls in flight, and how often one was overdue. */
function watched(allowances: Partial<CallAllowances> = {}) {
  const onOverdue = vi.fn()
  const onStop = vi.fn()
  const calls = new CallsInFlight({ commandTimeout: 5, allowance: 0, ...allowances }, { onOverdue, onStop })
  return { calls, onOverdue, onStop }
}

const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1000)

it('reports a command two seconds after the engine’s deadline, and says which deadline it ignored', async () => {
  const { calls, onOverdue } = watched()
  calls.sent(calls.add(command))
  await seconds(6.9)
  expect(onOverdue).not.toHaveBeenCalled()
  await seconds(0.2)
  expect(onOverdue).toHaveBeenCalledTimes(1)
  expect(calls.overdue).toEqual({
    code: 'DEADLINE_IGNORED',
    message: 'The engine ignored its deadline of 5 s by more than 2 s.',
  })
})

it('gives a command the time for mirroring on top', async () => {
  const { calls, onOverdue } = watched({ allowance: 10 })
  calls.sent(calls.add(command))
  await seconds(16.9)
  expect(onOverdue).not.toHaveBeenCalled()
  await seconds(0.2)
  expect(calls.overdue.message).toBe('A command and the mirroring around it did not end within 17 s.')
})

it('gives any other call at least a minute', async () => {
  const { calls, onOverdue } = watched()
  calls.sent(calls.add(other))
  await seconds(61.9)
  expect(onOverdue).not.toHaveBeenCalled()
  await seconds(0.2)
  expect(onOverdue).toHaveBeenCalledTimes(1)
  expect(calls.overdue.message).toBe('A call that is no command did not end within 62 s.')
})

it('counts the time of a call only from when it was sent and is the first', async () => {
  const { calls, onOverdue } = watched()
  const first = calls.add(command)
  const second = calls.add(command)
  await seconds(100)
  calls.sent(first)
  calls.sent(second)
  await seconds(5)
  calls.remove(first)
  expect(calls.isFirst(second)).toBe(true)
  await seconds(6.9)
  expect(onOverdue).not.toHaveBeenCalled()
  await seconds(0.2)
  expect(onOverdue).toHaveBeenCalledTimes(1)
})

it('watches nothing while the first call has not been sent', async () => {
  const { calls, onOverdue } = watched()
  const first = calls.add(command)
  calls.add(command)
  calls.sent(first)
  calls.remove(first)
  await seconds(3600)
  expect(onOverdue).not.toHaveBeenCalled()
})

it('skips calls that were removed before their turn', () => {
  const { calls } = watched()
  const [first, second, third] = [calls.add(command), calls.add(command), calls.add(command)]
  expect(calls.remove(second)).toMatchObject(command)
  expect(calls.remove(second)).toBeUndefined()
  calls.remove(first)
  expect([calls.size, calls.has(second), calls.isFirst(third)]).toEqual([1, false, true])
})

it('tells the longest time that one of the calls may take', () => {
  const { calls } = watched()
  calls.add(command)
  expect(calls.longest).toBe(7)
  calls.add(other)
  expect(calls.longest).toBe(62)
})

it('fails every call at the end, each with an error of its own, and watches no more', async () => {
  const { calls, onOverdue } = watched()
  const failed: unknown[] = []
  const collecting = { kind: 'command', fail: (error: unknown) => failed.push(error) > 0 } as const
  calls.sent(calls.add(collecting))
  calls.add(collecting)
  calls.end(() => new SandboxClosedError('closed'))
  expect(failed).toEqual([new SandboxClosedError('closed'), new SandboxClosedError('closed')])
  expect(failed[0]).not.toBe(failed[1])
  expect(calls.size).toBe(0)
  await seconds(3600)
  expect(onOverdue).not.toHaveBeenCalled()
})

it('gives a command that is to stop two seconds, and says so', async () => {
  const { calls, onOverdue } = watched({ commandTimeout: 60 })
  const id = calls.add(command)
  calls.sent(id)
  calls.hurry(id)
  await seconds(1.9)
  expect(onOverdue).not.toHaveBeenCalled()
  await seconds(0.2)
  expect(onOverdue).toHaveBeenCalledTimes(1)
  expect(calls.overdue).toEqual({
    code: 'DEADLINE_IGNORED',
    message: 'A command that was to stop went on for more than 2 s.',
  })
})

it('hurries a command from when it is the first, and no other call', async () => {
  const { calls, onOverdue } = watched({ commandTimeout: 60 })
  const first = calls.add(other)
  const second = calls.add(command)
  for (const id of [first, second]) {
    calls.sent(id)
    calls.hurry(id)
  }
  await seconds(30)
  calls.remove(first)
  await seconds(1.9)
  expect(onOverdue).not.toHaveBeenCalled()
  await seconds(0.2)
  expect(onOverdue).toHaveBeenCalledTimes(1)
})

it('tells the engine of one call that is to stop at a time, in their order', () => {
  const { calls, onStop } = watched()
  const [first, second, third] = [calls.add(command), calls.add(command), calls.add(command)] as const
  for (const id of [first, second, third]) calls.sent(id)
  calls.stop(third)
  expect(onStop.mock.calls).toEqual([[third]])
  calls.stop(first)
  calls.stop(second)
  expect(onStop.mock.calls).toEqual([[third], [first]])
  calls.remove(first)
  calls.remove(second)
  expect(onStop.mock.calls).toEqual([[third], [first], [second], [third]])
})
