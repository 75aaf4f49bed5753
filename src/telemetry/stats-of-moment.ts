import { queueMicrotask } from '../async/clock.ts'
import type { HostStats } from '../host/host-stats.ts'
import type { WatchedHost } from './watched-host.ts'

/** The figures of a host, read once for all gauges of one scrape. */
export function statsOfMoment(host: Pick<WatchedHost, 'stats'>): () => HostStats {
  let known: HostStats | undefined
  return () => {
    if (known === undefined) {
      known = host.stats()
      queueMicrotask(() => {
        known = undefined
      })
    }
    return known
  }
}
