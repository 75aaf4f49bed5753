import { SANDBOX_EVENTS, type SandboxEvent, type SandboxEventMap } from '../host/event-data.ts'
import type { HostStats } from '../host/host-stats.ts'
import type { SandboxListener } from '../host/sandbox-events.ts'
import { refuse } from '../sandbox/arguments.ts'
import { kindOf } from '../sandbox/show-value.ts'

/** What telemetry needs of a `ShellHost`. */
export interface WatchedHost {
  /** Has a listener called at an event. */
  on<Event extends SandboxEvent>(event: Event, listener: SandboxListener<Event>): unknown
  /** Calls that listener no more. */
  off<Event extends SandboxEvent>(event: Event, listener: SandboxListener<Event>): unknown
  /** Figures of this moment. */
  stats(): HostStats
}

/** @throws SandboxConfigError with the field `host` */
export function requireHost(host: unknown): void {
  const isHost =
    typeof host === 'object' &&
    host !== null &&
    ['on', 'off', 'stats'].every((name) => typeof Reflect.get(host, name) === 'function')
  if (!isHost) throw refuse('host', `must be a ShellHost, but is ${kindOf(host)}.`)
}

/** What is done at events, by their kinds. */
export type EventHandlers = {
  readonly [Kind in SandboxEvent]?: (event: SandboxEventMap[Kind]) => void
}

/** Has handlers called at the events of a host. @returns how to stop that */
export function listen(host: WatchedHost, handlers: EventHandlers): () => void {
  const stops = SANDBOX_EVENTS.map((kind) => listenTo(host, kind, handlers))
  return () => {
    for (const stop of stops) stop()
  }
}

function listenTo<Kind extends SandboxEvent>(
  host: WatchedHost,
  kind: Kind,
  handlers: EventHandlers,
): () => void {
  const handler = handlers[kind]
  if (handler === undefined) return () => undefined
  host.on(kind, handler)
  return () => {
    host.off(kind, handler)
  }
}
