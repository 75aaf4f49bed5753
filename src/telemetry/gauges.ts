import type { HostStats } from '../host/host-stats.ts'
import type { MetricDefinition } from './metrics.ts'

/** A metric of a host at the moment of its reading. */
export interface Gauge extends MetricDefinition {
  /** In the unit; undefined where the system does not tell. */
  readonly read: (stats: HostStats) => number | undefined
}

/** What a host has and carries. */
export const GAUGES: readonly Gauge[] = [
  gauge('sandboxes.open', '{sandbox}', 'Sandboxes that were used and not closed', ({ open }) => open),
  gauge(
    'sandboxes.hibernated',
    '{sandbox}',
    'Open sandboxes whose session is stored',
    ({ hibernated }) => hibernated,
  ),
  gauge('sandboxes.queued', '{sandbox}', 'Sandboxes that wait for a place', ({ queued }) => queued),
  gauge('sandboxes.running', '{sandbox}', 'Sandboxes that may run commands', ({ running }) => running),
  gauge(
    'sandboxes.waiting',
    '{sandbox}',
    'Sandboxes whose commands wait for others',
    ({ waiting }) => waiting,
  ),
  gauge('places.leased', '{place}', 'Places that have a session', ({ leased }) => leased),
  gauge('places.retired', '{place}', 'Places whose last native call still runs', ({ retired }) => retired),
  gauge('workers.live', '{thread}', 'Worker threads', ({ workers }) => workers),
  gauge('workers.idle', '{thread}', 'Worker threads without a session', ({ idle }) => idle),
  gauge('cells.live', '{process}', 'Child processes with worker threads', ({ cells }) => cells),
  gauge('process.memory.resident', 'By', 'Resident memory of the process of the host', ({ rss }) => rss),
  gauge('process.threads', '{thread}', 'Threads of the process of the host', ({ threads }) => threads),
  delay('mean', 'mean'),
  delay('p99', '99th percentile'),
  delay('max', 'longest'),
]

function gauge(name: string, unit: Gauge['unit'], description: string, read: Gauge['read']): Gauge {
  return { name, unit, description, read }
}

function delay(figure: keyof HostStats['eventLoopDelay'], what: string): Gauge {
  const description = `Delay of the event loop since the first sandbox, ${what}`
  return gauge(`event_loop.delay.${figure}`, 's', description, (stats) => stats.eventLoopDelay[figure] / 1000)
}
