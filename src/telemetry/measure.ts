import type { CommandEventData, FileEventData, SandboxEventData } from '../host/event-data.ts'
import type { MetricLabels } from './metric-labels.ts'
import type { EventMetricKey } from './metrics.ts'
import type { EventHandlers } from './watched-host.ts'

/** Adds to a counter, or a value to a histogram. */
export type Measure = (metric: EventMetricKey, value: number, labels: Record<string, string>) => void

/** Measures the events of a host. */
export function measuring(measure: Measure, labels: MetricLabels): EventHandlers {
  const own = (event: SandboxEventData) => labels.of(event.labels)
  const about = (event: SandboxEventData) => ({
    shell: event.shell,
    isolation: event.isolation,
    ...own(event),
  })
  const count = (metric: EventMetricKey, event: SandboxEventData, more: Record<string, string> = {}) =>
    measure(metric, 1, { ...about(event), ...more })
  return {
    command: (event) => {
      const of = about(event)
      measure('commands', 1, { ...of, outcome: outcomeOf(event) })
      measure('commandDuration', event.durationMs / 1000, of)
      measure('commandWait', event.waitedMs / 1000, of)
      if (event.stdoutBytes > 0) measure('commandOutput', event.stdoutBytes, { ...of, stream: 'stdout' })
      if (event.stderrBytes > 0) measure('commandOutput', event.stderrBytes, { ...of, stream: 'stderr' })
    },
    file: (event) => {
      const of = { ...about(event), operation: event.operation }
      measure('fileOperations', 1, { ...of, outcome: fileOutcomeOf(event) })
      measure('fileDuration', event.durationMs / 1000, of)
      if (event.bytes !== undefined) measure('fileContent', event.bytes, of)
    },
    opened: (event) => {
      count('opens', event, { outcome: 'opened' })
      measure('openDuration', event.durationMs / 1000, about(event))
    },
    reopened: (event) => {
      count('opens', event, { outcome: 'reopened' })
      measure('openDuration', event.durationMs / 1000, about(event))
    },
    rejected: (event) => count('opens', event, { outcome: event.reason }),
    woken: (event) => measure('wakeDuration', event.durationMs / 1000, about(event)),
    closed: (event) => count('closes', event, { reason: event.reason }),
    lost: (event) => count('losses', event, { reason: event.reason }),
    hibernated: (event) => count('hibernations', event, { reason: event.reason }),
    checkpoint: (event) => count('checkpoints', event),
    storeFailed: (event) =>
      count('storeFailures', event, { operation: event.operation, reason: event.reason }),
    conflict: (event) => count('conflicts', event),
    policy: (event) => count('policyVerdicts', event, { verdict: event.verdict }),
    egress: (event) => {
      // What is let through is counted at its end.
      if (event.allowed) return
      measure('egressRequests', 1, { ...own(event), allowed: 'false', reason: event.reason ?? 'UNKNOWN' })
    },
    egressEnd: (event) => {
      const of = own(event)
      measure('egressRequests', 1, { ...of, allowed: 'true', reason: event.reason ?? 'ok' })
      measure('egressDuration', event.duration, of)
      if (event.sent > 0) measure('egressContent', event.sent, { ...of, direction: 'sent' })
      if (event.received > 0) measure('egressContent', event.received, { ...of, direction: 'received' })
    },
  }
}

/** How a command has ended, in a word. */
export function outcomeOf({ denied, error, timedOut, exitCode }: CommandEventData): string {
  if (denied) return 'denied'
  if (error !== undefined) return error
  if (timedOut) return 'timed_out'
  return exitCode === 0 ? 'ok' : 'nonzero'
}

function fileOutcomeOf({ denied, error }: FileEventData): string {
  return denied ? 'denied' : (error ?? 'ok')
}
