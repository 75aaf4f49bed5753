import { about, command, type FakeHost } from './fake-host.ts'

/** Has a host tell an event of each kind that is measured. */
export function tellEveryEvent(host: FakeHost, labels: Readonly<Record<string, string>> = {}): void {
  const request = { cell: 'cell-1', method: 'GET', url: 'http://a.example/x', candidates: [] }
  host.tell('command', { ...about('command', labels), ...command, stdoutBytes: 5, stderrBytes: 7 })
  host.tell('file', {
    ...about('file', labels),
    ...{ operation: 'read', path: '/a', to: undefined, bytes: 3, error: undefined },
    ...{ durationMs: 1, denied: false },
  })
  host.tell('opened', { ...about('opened', labels), durationMs: 30 })
  host.tell('reopened', { ...about('reopened', labels), durationMs: 30 })
  host.tell('rejected', { ...about('rejected', labels), reason: 'HOST_SATURATED', durationMs: 1 })
  host.tell('woken', { ...about('woken', labels), durationMs: 8 })
  host.tell('closed', { ...about('closed', labels), reason: 'idle' })
  host.tell('lost', { ...about('lost', labels), reason: 'CELL_EXITED' })
  host.tell('hibernated', { ...about('hibernated', labels), reason: 'idle' })
  host.tell('checkpoint', about('checkpoint', labels))
  host.tell('storeFailed', { ...about('storeFailed', labels), operation: 'put', reason: 'UNKNOWN' })
  host.tell('conflict', { ...about('conflict', labels), path: '/a', hostPath: '/b/a' })
  host.tell('policy', {
    ...about('policy', labels),
    ...{ verdict: 'deny', call: 'command', subject: 'x', reason: 'no', failure: undefined },
  })
  host.tell('egress', { ...about('egress', labels), ...request, allowed: false, reason: 'NOT_ALLOWED' })
  host.tell('egressEnd', {
    ...about('egressEnd', labels),
    ...request,
    ...{ status: 200, sent: 2, received: 4, duration: 0.5 },
  })
}
