import type { EngineName } from '../contract/lease.ts'
import type { ShellHost } from '../shell-host/shell-host.ts'
import type { Executions } from './executions.ts'
import type { Feed } from './feed.ts'
import type { Metrics } from './metrics.ts'
import type { Ownership } from './ownership.ts'
import type { Sandboxes } from './sandboxes.ts'
import type { Templates } from './templates.ts'
import type { Timeline } from './timeline.ts'

/** What the routes of a service share. */
export interface ServiceParts {
  readonly host: ShellHost<EngineName>
  readonly templates: Templates
  readonly sandboxes: Sandboxes
  readonly executions: Executions
  readonly feed: Feed
  readonly timeline: Timeline
  readonly metrics: Metrics
  /** Undefined where no other process shares its sandboxes. */
  readonly ownership: Ownership | undefined
  /** Names this process among those that may answer under its address. */
  readonly instance: string
  /** Aborted when streams of events are to end. */
  readonly closing: AbortSignal
  /** Whether it takes no new request. */
  readonly isClosing: () => boolean
}
