import { onTestFinished } from 'vitest'
import { type HostEvent, ShellHost, type ShellHostOptions } from '../../src/index.ts'
import { faultyHost, within } from '../faults/helpers.ts'

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

/** A host that the test itself closes or drains; the test's end makes sure of it. */
export function ownHost(options: ShellHostOptions = {}): ShellHost {
  const host = new ShellHost({ isolation: 'shared', ...options })
  onTestFinished(() => within(10, host.close()))
  return host
}
