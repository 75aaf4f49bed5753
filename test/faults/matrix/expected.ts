import { expect } from 'vitest'
import type { Fault } from './faults.ts'
import type { MomentName } from './moments.ts'
import type { MomentResult } from './run-group.ts'

/** True where times are to be those of an idle machine, and not only guards against hanging. */
export const timesCount = process.env['RELIABILITY_TIMES'] === '1'

/** Milliseconds from a fault until what was under way has ended, at most. */
function latest({ told }: Fault): number {
  return told.seconds * 1000 + (timesCount ? 0 : 60_000)
}

/** What is promised of a fault in a moment. */
export function promised(fault: Fault, moment: MomentName): MomentResult {
  const { error } = fault
  const result = error === undefined ? unharmed(moment) : struck(moment, error)
  const outcome = fault.outcomes?.[moment] ?? result.outcome
  const milliseconds: number = expect.toSatisfy((spent: number) => spent <= latest(fault))
  return { ...result, outcome, milliseconds }
}

type Promised = Omit<MomentResult, 'milliseconds'>

/** The session is lost, and told once: to the calls that are pending, else to the next one. */
function struck(moment: MomentName, error: string): Promised {
  const lost = { outcome: error, again: ['fresh', 'fresh'], events: ['lost'] }
  const untold = { ...lost, again: [error, 'fresh'] }
  switch (moment) {
    case 'open':
      return { ...lost, events: ['rejected'] }
    case 'stream half-read':
      return { ...untold, outcome: 'read' }
    case 'idle':
      return { ...untold, outcome: 'nothing' }
    case 'close':
      return { ...lost, outcome: 'closed', events: [] }
    case 'drain':
      return { ...lost, outcome: `${error}, drained`, again: [] }
    case 'queued open':
      return { ...lost, outcome: 'opens', events: [] }
    default:
      return lost
  }
}

/** The session goes on. */
function unharmed(moment: MomentName): Promised {
  const kept = { outcome: 'done', again: ['kept', 'kept'], events: [] }
  const fresh = { ...kept, again: ['fresh', 'fresh'] }
  switch (moment) {
    case 'open':
      return fresh
    case 'stream half-read':
      return { ...kept, outcome: 'read' }
    case 'idle':
      return { ...kept, outcome: 'nothing' }
    case 'close':
      return { ...fresh, outcome: 'closed' }
    case 'drain':
      return { ...kept, outcome: 'done, drained', again: [] }
    case 'queued open':
      return { ...fresh, outcome: 'opens' }
    default:
      return kept
  }
}
