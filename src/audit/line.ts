import type { AuditEvent } from '../host/audit-sink.ts'

/**
 * An event as a line of JSON with its line break: `kind` and `time` first, then the fields in the order of the event.
 *
 * @throws where it is no event, or holds what JSON cannot
 */
export function lineOf(event: AuditEvent): string {
  const { kind, time, ...fields } = event
  if (typeof kind !== 'string') throw new TypeError('An event must have its kind.')
  return `${JSON.stringify({ kind, time: new Date(time).toISOString(), ...fields })}\n`
}

/** The line that stands where lines are missing. */
export function droppedLine(lines: number): string {
  return `${JSON.stringify({ kind: 'dropped', time: new Date().toISOString(), lines })}\n`
}
