import type { HostEvent, ShellHost, ShellHostOptions } from '../../src/index.ts'
import { faultyHost } from '../faults/helpers.ts'

/** A host of shared workers that the test's end closes. */
export function sharedHost(options: ShellHostOptions = {}): ShellHost {
  return faultyHost({ isolation: 'shared', ...options })
}

/** Everything a host tells from now on, in order: the event's name and its data. */
export function recordEvents(host: ShellHost): readonly (readonly [HostEvent, unknown])[] {
  const told: (readonly [HostEvent, unknown])[] = []
  for (const event of ['opened', 'closed', 'lost', 'reopened', 'queued', 'rejected', 'idle'] as const) {
    host.on(event, (data) => told.push([event, data]))
  }
  return told
}
