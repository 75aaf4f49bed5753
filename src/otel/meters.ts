import type { Meter, ObservableGauge } from '@opentelemetry/api'
import { BoundedValues } from '../telemetry/bounded-values.ts'
import { GAUGES } from '../telemetry/gauges.ts'
import { type Measure, measuring } from '../telemetry/measure.ts'
import type { MetricLabels } from '../telemetry/metric-labels.ts'
import {
  EVENT_METRIC_KEYS,
  EVENT_METRICS,
  type EventMetric,
  type MetricDefinition,
} from '../telemetry/metrics.ts'
import { readTenants, TENANT_GAUGES, TENANT_LABEL } from '../telemetry/tenant-gauges.ts'
import { listen, type WatchedHost } from '../telemetry/watched-host.ts'

const nameOf = ({ name }: MetricDefinition) => `strands_shell.${name}`

/** Has a meter measure the events and figures of a host. @returns how to stop that */
export function metering(host: WatchedHost, meter: Meter, labels: MetricLabels): () => void {
  const stopListening = listen(host, measuring(measureWith(meter), labels))
  const stopReading = readGauges(host, meter)
  return () => {
    stopListening()
    stopReading()
  }
}

function measureWith(meter: Meter): Measure {
  const writers = new Map(EVENT_METRIC_KEYS.map((key) => [key, makeMetric(EVENT_METRICS[key], meter)]))
  return (metric, value, attributes) => writers.get(metric)?.(value, attributes)
}

function makeMetric(
  metric: EventMetric,
  meter: Meter,
): (value: number, attributes: Record<string, string>) => void {
  const { kind, unit, description, buckets = [] } = metric
  if (kind === 'counter') {
    const counter = meter.createCounter(nameOf(metric), { unit, description })
    return (value, attributes) => counter.add(value, attributes)
  }
  const advice = { explicitBucketBoundaries: [...buckets] }
  const histogram = meter.createHistogram(nameOf(metric), { unit, description, advice })
  return (value, attributes) => histogram.record(value, attributes)
}

function makeGauge(gauge: MetricDefinition, meter: Meter): ObservableGauge {
  const { unit, description } = gauge
  return meter.createObservableGauge(nameOf(gauge), { unit, description })
}

function readGauges(host: WatchedHost, meter: Meter): () => void {
  const gauges = GAUGES.map((gauge) => ({ gauge, observable: makeGauge(gauge, meter) }))
  const tenantGauges = TENANT_GAUGES.map((gauge) => ({ gauge, observable: makeGauge(gauge, meter) }))
  const tenants = new BoundedValues()
  const observables = [...gauges, ...tenantGauges].map(({ observable }) => observable)
  const read: Parameters<Meter['addBatchObservableCallback']>[0] = (result) => {
    const stats = host.stats()
    for (const { gauge, observable } of gauges) {
      const value = gauge.read(stats)
      if (value !== undefined) result.observe(observable, value)
    }
    for (const { gauge, observable } of tenantGauges) {
      for (const [tenant, value] of readTenants(stats, gauge, tenants))
        result.observe(observable, value, { [TENANT_LABEL]: tenant })
    }
  }
  meter.addBatchObservableCallback(read, observables)
  return () => meter.removeBatchObservableCallback(read, observables)
}
