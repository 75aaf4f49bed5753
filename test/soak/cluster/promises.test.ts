import { expect, it } from 'vitest'
import { Calls } from '../../../soak/cluster/calls.ts'
import { Counter } from '../../../soak/cluster/counter.ts'
import { commandsIn, requireOneAtATime } from '../../../soak/cluster/fences.ts'
import { readOptions } from '../../../soak/cluster/options.ts'
import { Violation } from '../../../soak/violation.ts'
import { ClusterUnavailableError, ProtocolError } from '../../../src/sandbox/errors.ts'

it('counts what was acknowledged once, and what was lost once or never', () => {
  const counter = new Counter('a')
  counter.counted(1)
  expect(() => counter.read(0)).toThrow('from 1 to 1')
  expect(() => counter.read(2)).toThrow(Violation)
  counter.mayHaveCounted()
  counter.counted(2)
  // The lost one comes late.
  counter.counted(4)
  expect(() => counter.read(3)).toThrow('from 4 to 4')
  expect(() => counter.counted(4)).toThrow(Violation)
})

const line = (fence: number, call: string, at: number) =>
  JSON.stringify({
    kind: 'command',
    time: new Date(at).toISOString(),
    id: 'a',
    labels: { cluster_fence: String(fence) },
    command: `: ${call}; echo`,
    durationMs: 10,
  })

it('reads the commands of an audit log, and leaves out a line that was cut off', () => {
  const text = `${line(7, 'call-1', 1000)}\n{"kind":"opened"}\n${line(7, 'call-2', 2000).slice(0, 9)}`
  expect(commandsIn('1', text)).toEqual([
    { log: '1', id: 'a', fence: 7, call: 'call-1', begin: 990, end: 1000 },
  ])
})

it('finds a session that two nodes had at once', () => {
  const commands = (log: string, ...lines: string[]) => commandsIn(log, `${lines.join('\n')}\n`)
  const first = commands('1', line(1, 'call-1', 1000), line(1, 'call-2', 2000))
  const all = new Set(['call-1', 'call-2', 'call-3'])
  const both = [...first, ...commands('2', line(2, 'call-3', 3000))]
  expect(requireOneAtATime(both, all)).toEqual({ fences: 2, found: 3 })
  const wrong = [
    ['two processes with one fence', line(1, 'call-3', 3000)],
    ['two fences at once', line(2, 'call-3', 1500)],
    ['a call that ran twice', line(2, 'call-2', 3000)],
  ] as const
  for (const [what, other] of wrong)
    expect(() => requireOneAtATime([...first, ...commands('2', other)], all), what).toThrow(Violation)
  // What nobody was told does not count.
  const unknown = [...first, ...commands('2', line(2, 'call-4', 1500))]
  expect(requireOneAtATime(unknown, all, 0.5)).toEqual({ fences: 2, found: 2 })
  // Logs without the calls that were answered prove nothing.
  expect(() => requireOneAtATime(unknown, all)).toThrow('The audit logs have 2 of 3')
})

it('says what a call has rejected with, and refuses an error that no fault explains', async () => {
  const calls = new Calls()
  expect(await calls.make('a', async () => 7)).toEqual({ value: 7 })
  const gone = Promise.reject(new ClusterUnavailableError('Nobody is there.'))
  expect(await calls.make('b', () => gone)).toEqual({ started: false })
  await expect(calls.make('c', () => Promise.reject(new ProtocolError('Odd.')))).rejects.toThrow(Violation)
  expect([calls.count, calls.ends.get('answered')]).toEqual([3, 1])
  const never = new Promise(() => undefined)
  await expect(new Calls(0.01).make('d', () => never)).rejects.toThrow('has not settled within 0.01 s')
})

it('runs for 20 minutes without arguments', () => {
  expect(readOptions([])).toMatchObject({ minutes: 20, sessions: 300, rate: 20, jobs: 5000, every: 10 })
  expect(() => readOptions(['--sessions', 'many'])).toThrow('--sessions')
})
