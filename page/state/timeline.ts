import type { ExecutionData } from '../../src/protocol/execution-schemas.ts'
import type { TimelineEvent } from './session-feed.ts'

/** What of a timeline is shown. */
export const FILTERS = ['all', 'commands', 'network', 'policy', 'files', 'session'] as const
export type Filter = (typeof FILTERS)[number]

/** One entry of a timeline. */
export type TimelineEntry =
  | {
      readonly kind: 'execution'
      readonly key: string
      readonly time: number
      readonly execution: ExecutionData
    }
  | { readonly kind: 'event'; readonly key: string; readonly time: number; readonly event: TimelineEvent }

const filterOf: Readonly<Record<TimelineEvent['kind'], Filter>> = {
  egress: 'network',
  egressEnd: 'network',
  policy: 'policy',
  file: 'files',
  conflict: 'files',
  opened: 'session',
  reopened: 'session',
  woken: 'session',
  lost: 'session',
  hibernated: 'session',
  storeFailed: 'session',
  rejected: 'session',
}

/** Commands and events as one timeline, the newest first. */
export function entriesOf(
  executions: readonly ExecutionData[],
  events: readonly { readonly number: number; readonly event: TimelineEvent }[],
  filter: Filter,
): readonly TimelineEntry[] {
  const entries: TimelineEntry[] = []
  if (filter === 'all' || filter === 'commands') {
    for (const execution of executions)
      entries.push({ kind: 'execution', key: execution.id, time: execution.startedAt, execution })
  }
  for (const { number, event } of events) {
    if (filter === 'all' || filterOf[event.kind] === filter)
      entries.push({ kind: 'event', key: `event ${number}`, time: event.time, event })
  }
  return entries.sort((one, other) => other.time - one.time)
}
