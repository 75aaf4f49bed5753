import { expect, it } from 'vitest'
import { CellSessions } from '../../src/host/cell-sessions.ts'
import { CommandLimiter } from '../../src/host/command-limiter.ts'
import { EgressReports } from '../../src/host/egress-reports.ts'
import { EventReporter } from '../../src/host/event-reporter.ts'
import type { HostedSession } from '../../src/host/hosted-session.ts'
import { resolveHostOptions } from '../../src/host/resolve-options.ts'
import { SandboxEvents } from '../../src/host/sandbox-events.ts'
import { SessionHost } from '../../src/host/session-host.ts'
import { SessionRegistration } from '../../src/host/session-registration.ts'
import { Tenants } from '../../src/host/tenants/tenants.ts'

const decision = { cell: 'cell-1', method: 'GET', url: 'http://a.test/', allowed: true }

function session(sandbox: number, shell: 'strands' | 'bash', lane: number, runs: boolean): HostedSession {
  return {
    id: undefined,
    sandbox,
    labels: {},
    shell,
    listeners: undefined,
    isolation: 'process',
    generation: 1,
    cell: { name: 'cell-1', lane },
    pass: undefined,
    inCaller: undefined,
    hideInRequest: (text) => text,
    runs,
    pending: 0,
    isHibernated: false,
    isIdle: false,
    hibernate: async () => false,
    hostCloses: () => undefined,
    close: async () => undefined,
  }
}

/** What is told of a request of a lane: its sandbox, and the candidates. */
async function toldOf(lane: number | undefined, sessions: readonly HostedSession[], name?: string) {
  const host = new SessionHost(resolveHostOptions())
  const events = new SandboxEvents()
  const registered = new Map(
    sessions.map((each) => {
      const tenant = new Tenants(undefined, new CommandLimiter(1)).of({})
      const registration = new SessionRegistration(each, host, tenant)
      Object.defineProperty(registration, 'events', { value: new EventReporter(each, events) })
      return [each, registration] as const
    }),
  )
  const told: unknown[] = []
  events.on('egress', ({ sandbox, candidates, cell }) =>
    told.push([sandbox, candidates.map((each) => each.sandbox), ...(name === undefined ? [] : [cell])]),
  )
  const shown = name === undefined ? decision : { ...decision, cell: name }
  const there = name === undefined ? sessions : sessions.filter(({ pass }) => pass === name)
  new EgressReports(registered, events, { of: () => there }).onDecision(shown, { lane })
  await host.close()
  return told[0]
}

it('a request that tells a lane is of the sandbox of that lane, and of no other one when that is gone', async () => {
  const others = [session(1, 'bash', 1, false), session(2, 'bash', 2, true)]
  expect(await toldOf(1, others)).toEqual([1, [1]])
  expect(await toldOf(3, others)).toEqual([0, []])
})

it('a request with a pass is of the sandbox that has it, and of no cell', async () => {
  const holder = { ...session(1, 'bash', 1, false), cell: undefined, pass: 'pass-1' }
  const other = { ...session(2, 'bash', 2, true), cell: undefined, pass: 'pass-2' }
  expect(await toldOf(undefined, [holder, other], 'pass-1')).toEqual([1, [1], undefined])
  expect(await toldOf(7, [holder, other], 'pass-1')).toEqual([1, [1], undefined])
  expect(await toldOf(undefined, [other], 'pass-1')).toEqual([0, [], 'pass-1'])
})

it('a request that tells none is of Strands Shell', async () => {
  const bash = session(1, 'bash', 1, true)
  expect(await toldOf(undefined, [bash, session(2, 'strands', 2, false)])).toEqual([2, [2]])
  expect(
    await toldOf(undefined, [bash, session(2, 'strands', 2, true), session(3, 'strands', 3, true)]),
  ).toEqual([0, [2, 3]])
  expect(await toldOf(undefined, [bash])).toEqual([0, []])
})

it('a session is of a cell while it has a place there and says so', () => {
  const cells = new CellSessions()
  const [bash, other] = [session(1, 'bash', 1, true), session(2, 'bash', 2, true)]
  const leave = [bash, bash, other].map((each) => cells.enter(each, { cell: { name: 'cell-1', lane: 1 } }))
  const thread = cells.enter(bash, {})
  cells.enter(bash, { cell: { name: 'cell-2', lane: 1 } })
  expect([cells.of('cell-1'), cells.of('cell-2'), cells.of('cell-3')]).toEqual([[bash, other], [], []])
  leave[0]?.()
  leave[0]?.()
  thread()
  expect(cells.of('cell-1')).toEqual([bash, other])
  leave[1]?.()
  expect(cells.of('cell-1')).toEqual([other])
  leave[2]?.()
  expect(cells.of('cell-1')).toEqual([])
})

it('a request costs no look at the sandboxes of other cells', () => {
  const cells = new CellSessions()
  const other = session(1, 'bash', 1, true)
  cells.enter(other, { cell: { name: 'cell-2', lane: 1 } })
  Object.defineProperty(other, 'cell', {
    get: () => {
      throw new Error('It was looked at.')
    },
  })
  expect(cells.of('cell-1')).toEqual([])
})
