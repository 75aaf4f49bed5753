import type { Meter, Tracer } from '@opentelemetry/api'
import type { ResolvedOptions } from './options.ts'
import { createNoopMeter, metrics, ProxyTracerProvider, trace } from './peer.ts'

/** What the package calls itself in telemetry. */
const scope = 'strands-shell-runtime'

/** Makes spans; undefined while no SDK is set up. */
export function tracerOf({ tracerProvider }: ResolvedOptions): Tracer | undefined {
  const provider = tracerProvider ?? trace.getTracerProvider()
  if (provider instanceof ProxyTracerProvider) {
    const none = new ProxyTracerProvider().getDelegate()
    if (provider.getDelegate() === none) return undefined
  }
  return provider.getTracer(scope)
}

/** Makes metrics; undefined while no SDK is set up. */
export function meterOf({ meterProvider }: ResolvedOptions): Meter | undefined {
  const meter = (meterProvider ?? metrics.getMeterProvider()).getMeter(scope)
  return meter === createNoopMeter() ? undefined : meter
}
