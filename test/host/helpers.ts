import type { SandboxEvent, ShellHost, ShellHostOptions } from '../../src/index.ts'
import { faultyHost } from '../faults/helpers.ts'
import { fieldsOf } from '../support/event-fields.ts'

/** A host of shared workers that the test's end closes. */
export function sharedHost(options: ShellHostOptions = {}): ShellHost {
  return faultyHost({ isolation: 'shared', ...options })
}

/** Everything a host tells from now on, in order: the event's name and its data. */
export function recordEvents(host: ShellHost): readonly (readonly [SandboxEvent, unknown])[] {
  const told: (readonly [SandboxEvent, unknown])[] = []
  for (const event of ['opened', 'closed', 'lost', 'reopened', 'queued', 'rejected', 'idle'] as const) {
    host.on(event, (data) => told.push([event, fieldsOf(data)]))
  }
  return told
}
