import { refuse } from '../sandbox/arguments.ts'
import { quote } from '../sandbox/show-value.ts'
import { BoundedValues } from '../telemetry/bounded-values.ts'
import { GAUGES, type Gauge as GaugeDefinition } from '../telemetry/gauges.ts'
import { type Measure, measuring } from '../telemetry/measure.ts'
import {
  EVENT_METRIC_KEYS,
  EVENT_METRICS,
  type EventMetric,
  type MetricDefinition,
} from '../telemetry/metrics.ts'
import { statsOfMoment } from '../telemetry/stats-of-moment.ts'
import { readTenants, TENANT_GAUGES, TENANT_LABEL } from '../telemetry/tenant-gauges.ts'
import { listen, requireHost, type WatchedHost } from '../telemetry/watched-host.ts'
import { prometheusName } from './names.ts'
import {
  type AnyRegistry,
  type HostMetricsOptions,
  type ResolvedMetricsOptions,
  resolveOptions,
} from './options.ts'
import { Counter, Gauge, Histogram } from './peer.ts'

/** The metrics of a host in a registry. */
export interface HostMetrics {
  /** Where they are registered. */
  readonly registry: AnyRegistry
  /** Listens to the host no more, and takes the metrics out of the registry. Idempotent. */
  stop(): void
}

/**
 * Registers the metrics of a host: counters and histograms of what its sandboxes do from now on, and gauges of what it has at
 * each scrape.
 *
 * @throws {SandboxConfigError} naming the option that is not valid; with the field `registry` where the registry has metrics of
 *   these names
 */
export function hostMetrics(host: WatchedHost, options: HostMetricsOptions = {}): HostMetrics {
  requireHost(host)
  const resolved = resolveOptions(options)
  const { registry, prefix, labels } = resolved
  const names = namesUnder(prefix)
  const taken = names.find((name) => registry.getSingleMetric(name) !== undefined)
  if (taken !== undefined)
    throw refuse(
      'registry',
      `has a metric ${quote(taken)}. Give each host a registry or a prefix of its own, and stop() what is no longer needed.`,
    )
  const stop = listen(host, measuring(measureIn(resolved), labels))
  const stats = statsOfMoment(host)
  for (const gauge of GAUGES) registerGauge(gauge, resolved, () => gauge.read(stats()))
  const tenants = new BoundedValues()
  for (const gauge of TENANT_GAUGES)
    registerTenantGauge(gauge, resolved, () => readTenants(stats(), gauge, tenants))
  const own = names.map((name) => [name, registry.getSingleMetric(name)] as const)
  return {
    registry,
    stop: () => {
      stop()
      for (const [name, metric] of own) {
        if (registry.getSingleMetric(name) === metric) registry.removeSingleMetric(name)
      }
    },
  }
}

function namesUnder(prefix: string): readonly string[] {
  const ofEvents = EVENT_METRIC_KEYS.map((key) => prometheusName(EVENT_METRICS[key], EVENT_METRICS[key].kind))
  const gauges = [...GAUGES, ...TENANT_GAUGES].map((gauge) => prometheusName(gauge, 'gauge'))
  return [...ofEvents, ...gauges].map((name) => prefix + name)
}

function measureIn(options: ResolvedMetricsOptions): Measure {
  const writers = new Map(EVENT_METRIC_KEYS.map((key) => [key, registerMetric(EVENT_METRICS[key], options)]))
  return (metric, value, labels) => writers.get(metric)?.(labels, value)
}

function registerMetric(
  metric: EventMetric,
  { registry, prefix, labels }: ResolvedMetricsOptions,
): (labels: Record<string, string>, value: number) => void {
  const common = {
    name: prefix + prometheusName(metric, metric.kind),
    help: `${metric.description}.`,
    labelNames: [...metric.labels, ...labels.names],
    registers: [registry],
  }
  if (metric.kind === 'counter') {
    const counter = new Counter(common)
    return (of, value) => counter.inc(of, value)
  }
  const histogram = new Histogram({ ...common, buckets: [...(metric.buckets ?? [])] })
  return (of, value) => histogram.observe(of, value)
}

function registerGauge(
  gauge: GaugeDefinition,
  { registry, prefix }: ResolvedMetricsOptions,
  read: () => number | undefined,
): void {
  new Gauge({
    name: prefix + prometheusName(gauge, 'gauge'),
    help: `${gauge.description}.`,
    registers: [registry],
    collect() {
      const value = read()
      if (value === undefined) this.remove()
      else this.set(value)
    },
  })
}

function registerTenantGauge(
  gauge: MetricDefinition,
  { registry, prefix }: ResolvedMetricsOptions,
  read: () => ReadonlyMap<string, number>,
): void {
  new Gauge({
    name: prefix + prometheusName(gauge, 'gauge'),
    help: `${gauge.description}.`,
    labelNames: [TENANT_LABEL],
    registers: [registry],
    collect() {
      this.reset()
      for (const [tenant, value] of read()) this.set({ [TENANT_LABEL]: tenant }, value)
    },
  })
}
