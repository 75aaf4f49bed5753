import type { Attributes, SpanKind as Kind, Tracer } from '@opentelemetry/api'
import type { SandboxEventData } from '../host/event-data.ts'
import type { EventHandlers } from '../telemetry/watched-host.ts'
import { commandAttributes, fileAttributes, sandboxAttributes } from './attributes.ts'
import { egressAttributes, egressEndAttributes, egressFailure, egressName } from './egress-attributes.ts'
import { context, SpanKind, SpanStatusCode } from './peer.ts'
import { preciseTime } from './precise-time.ts'

/** A piece of work that has ended. */
interface Work {
  readonly name: string
  /** Milliseconds that it took. */
  readonly took: number
  /** Milliseconds since it ended. @default 0 */
  readonly endedMs?: number
  readonly kind?: Kind
  readonly attributes: Attributes
  readonly isError: boolean
}

/** Makes the spans of a host: each event is told in the context of its caller, when its work has ended. */
export function tracing(tracer: Tracer, { commands }: { readonly commands: boolean }): EventHandlers {
  const span = (event: SandboxEventData, work: Work) => record(tracer, event, work)
  const opening = (event: SandboxEventData & { readonly durationMs: number }, name: string, error?: string) =>
    span(event, {
      name,
      took: event.durationMs,
      attributes: { 'error.type': error },
      isError: error !== undefined,
    })
  return {
    command: (event) =>
      span(event, {
        name: event.language === undefined ? 'strands_shell.command' : 'strands_shell.code',
        took: event.waitedMs + event.durationMs,
        endedMs: event.endedMs,
        attributes: commandAttributes(event, commands),
        isError: event.error !== undefined,
      }),
    file: (event) =>
      span(event, {
        name: `strands_shell.file.${event.operation}`,
        took: event.durationMs,
        attributes: fileAttributes(event),
        isError: event.error !== undefined,
      }),
    opened: (event) => opening(event, 'strands_shell.open'),
    reopened: (event) => opening(event, 'strands_shell.open'),
    rejected: (event) => opening(event, 'strands_shell.open', event.reason),
    woken: (event) => opening(event, 'strands_shell.wake'),
    egress: (event) => {
      // What is let through has its span at its end.
      if (event.allowed) return
      span(event, {
        name: egressName(event),
        took: 0,
        kind: SpanKind.CLIENT,
        attributes: { ...egressAttributes(event), 'error.type': event.reason },
        isError: true,
      })
    },
    egressEnd: (event) =>
      span(event, {
        name: egressName(event),
        took: event.duration * 1000,
        kind: SpanKind.CLIENT,
        attributes: { ...egressAttributes(event), ...egressEndAttributes(event) },
        isError: egressFailure(event) !== undefined,
      }),
  }
}

function record(
  tracer: Tracer,
  event: SandboxEventData,
  { name, took, endedMs = 0, kind = SpanKind.INTERNAL, attributes, isError }: Work,
): void {
  const end = preciseTime() - endedMs
  // Two objects of this size spread into one take thirty times as long as assigned ones.
  const span = tracer.startSpan(
    name,
    { kind, startTime: end - took, attributes: Object.assign(sandboxAttributes(event), attributes) },
    context.active(),
  )
  if (isError) span.setStatus({ code: SpanStatusCode.ERROR })
  span.end(end)
}
