import { refuse } from '../sandbox/arguments.ts'
import { kindOf } from '../sandbox/show-value.ts'
import type { SandboxEvent, SandboxEventMap } from './event-data.ts'
import type { SandboxEvents } from './sandbox-events.ts'

/** Any event, told apart by its `kind`. */
export type AuditEvent = SandboxEventMap[SandboxEvent]

/** What keeps the events of a host: `auditLog()` makes one. Several hosts of a process may have the same. */
export interface AuditSink {
  /** The events that it is told. */
  readonly events: readonly SandboxEvent[]
  /** Takes an event, before every listener of the host. It must neither throw nor wait. */
  record(event: AuditEvent): void
  /** Resolves when what it took is kept, or cannot be. A host that is closed waits for it. */
  flush(): Promise<void>
}

/** @throws SandboxConfigError with the field `audit` for what keeps no events */
export function requireAuditSink(value: unknown): AuditSink {
  if (isAuditSink(value)) return value
  throw refuse('audit', `must be an audit log, but is ${kindOf(value)}. auditLog({ file }) makes one.`)
}

/** Tells a sink of all that these listeners are told of. */
export function attach(sink: AuditSink, events: SandboxEvents): void {
  const record = (event: AuditEvent) => sink.record(event)
  for (const kind of sink.events) events.on(kind, record)
}

function isAuditSink(value: unknown): value is AuditSink {
  if (typeof value !== 'object' || value === null) return false
  const isFunction = (name: string) => typeof Reflect.get(value, name) === 'function'
  return isFunction('record') && isFunction('flush') && Array.isArray(Reflect.get(value, 'events'))
}
