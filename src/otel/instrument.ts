import { refuse } from '../sandbox/arguments.ts'
import { listen, requireHost, type WatchedHost } from '../telemetry/watched-host.ts'
import { metering } from './meters.ts'
import { type InstrumentOptions, type ResolvedOptions, resolveOptions } from './options.ts'
import { meterOf, tracerOf } from './providers.ts'
import { tracing } from './spans.ts'

/** The telemetry of a host. */
export interface Instrumentation {
  /** Listens to the host no more. Idempotent. */
  stop(): void
}

/** Starts a part of the telemetry, and gives how to stop it; undefined while its SDK is not set up. */
type Part = (host: WatchedHost, options: ResolvedOptions) => (() => void) | undefined

const parts: readonly Part[] = [
  (host, options) => {
    const tracer = tracerOf(options)
    return tracer && listen(host, tracing(tracer, options))
  },
  (host, options) => {
    const meter = meterOf(options)
    return meter && metering(host, meter, options.labels)
  },
]

const instrumented = new WeakSet<WatchedHost>()

/**
 * Gives OpenTelemetry the spans and metrics of a host. A span is a child of what is active where the call is made. Where no SDK
 * is set up, nothing is listened to; an SDK that is set up later is found when the next sandbox opens.
 *
 * @throws {SandboxConfigError} naming the option that is not valid; with the field `host` where the host is instrumented already
 */
export function instrument(host: WatchedHost, options: InstrumentOptions = {}): Instrumentation {
  requireHost(host)
  const resolved = resolveOptions(options)
  if (instrumented.has(host))
    throw refuse(
      'host',
      'is instrumented already, and would have every span twice. Call stop() of that first.',
    )
  instrumented.add(host)
  const stops: (() => void)[] = []
  let isStopped = false
  let missing = parts
  const start = () => {
    missing = missing.filter((part) => {
      const stop = part(host, resolved)
      if (stop !== undefined) stops.push(stop)
      return stop === undefined
    })
    if (missing.length === 0) host.off('opened', start)
  }
  start()
  if (missing.length > 0) host.on('opened', start)
  return {
    stop: () => {
      if (isStopped) return
      isStopped = true
      instrumented.delete(host)
      host.off('opened', start)
      for (const stop of stops.splice(0)) stop()
    },
  }
}
