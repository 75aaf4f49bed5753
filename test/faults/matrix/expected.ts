import { expect } from 'vitest'
import type { MatrixEngine } from './engines.ts'
import type { Fault } from './faults.ts'
import type { MomentName } from './moments.ts'
import type { MomentResult } from './run-group.ts'

/** True where times are to be those of an idle machine, and not only guards against hanging. */
export const timesCount = process.env['RELIABILITY_TIMES'] === '1'

/** Milliseconds from a fault until what was under way has ended, at most. */
function latest({ told }: Fault): number {
  return told.seconds * 1000 + (timesCount ? 0 : 60_000)
}

/** What is promised of a fault in a moment, but for its time. */
export function promised(
  { goesOn }: Pick<MatrixEngine, 'goesOn'>,
  { error, outcomes }: Pick<Fault, 'error' | 'outcomes'>,
  moment: MomentName,
): Promised {
  const result = error === undefined ? unharmed(moment) : struck(moment, error, goesOn)
  return { ...result, outcome: outcomes?.[moment] ?? result.outcome }
}

/** The same, for a comparison. */
export function promisedInTime(engine: MatrixEngine, fault: Fault, moment: MomentName): MomentResult {
  const milliseconds: number = expect.toSatisfy((spent: number) => spent <= latest(fault))
  return { ...promised(engine, fault, moment), milliseconds }
}

export type Promised = Omit<MomentResult, 'milliseconds'>

/** The session is lost. That is told to the calls that are pending; else to the next one, unless the session goes on. */
function struck(moment: MomentName, error: string, goesOn: boolean): Promised {
  const next = goesOn ? 'kept' : 'fresh'
  const lost = { outcome: error, again: [next, next], events: ['lost', 'reopened'] }
  const untold = goesOn ? lost : { ...lost, again: [error, next] }
  const another = { ...lost, again: ['fresh', 'fresh'], events: [] }
  switch (moment) {
    case 'open':
      return { ...another, events: ['rejected'] }
    case 'stream half-read':
      return { ...untold, outcome: 'read' }
    case 'idle':
      return { ...untold, outcome: 'nothing' }
    case 'close':
      return { ...another, outcome: 'closed' }
    case 'drain':
      return { outcome: `${error}, drained`, again: [], events: ['lost'] }
    case 'queued open':
      return { ...another, outcome: 'opens' }
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
