import type { ExecutionData } from '../../src/protocol/execution-schemas.ts'
import type { SandboxData } from '../../src/protocol/sandbox-schemas.ts'
import type { ServiceEvent } from '../../src/protocol/service-events.ts'

/** The kinds of events that the list of sandboxes follows. */
export const LIST_KINDS = [
  'created',
  'removed',
  'executionStarted',
  'executionEnded',
  'opened',
  'reopened',
  'woken',
  'lost',
  'hibernated',
] as const satisfies readonly ServiceEvent['kind'][]

/** Takes an event into the list of sandboxes. */
export function foldEvent(sandboxes: Map<string, SandboxData>, event: ServiceEvent): void {
  const id = 'id' in event ? event.id : undefined
  if (event.kind === 'created') sandboxes.set(event.id, event.sandbox)
  const sandbox = id === undefined ? undefined : sandboxes.get(id)
  if (id === undefined || sandbox === undefined) return
  switch (event.kind) {
    case 'removed':
      sandboxes.delete(id)
      return
    case 'executionStarted':
    case 'executionEnded':
      sandboxes.set(id, {
        ...sandbox,
        lastUsedAt: event.time,
        lastCommand: lastCommandOf(event.execution),
        ...(event.kind === 'executionEnded' ? { memory: event.memory } : {}),
      })
      return
    case 'opened':
    case 'reopened':
    case 'woken':
      sandboxes.set(id, { ...sandbox, status: 'open', generation: event.generation })
      return
    case 'lost':
    case 'hibernated':
      sandboxes.set(id, { ...sandbox, status: event.kind, memory: undefined })
      return
  }
}

function lastCommandOf({ id, command, state, exitCode, problem }: ExecutionData): SandboxData['lastCommand'] {
  return { execution: id, command, state, exitCode, problem }
}
