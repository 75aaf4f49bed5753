export type { WatchedHost } from '../telemetry/watched-host.ts'
export { type HostMetrics, hostMetrics } from './host-metrics.ts'
export type { AnyRegistry, HostMetricsOptions } from './options.ts'
