import type { OpenMetricsContentType, PrometheusContentType, Registry } from 'prom-client'
import { refuse } from '../sandbox/arguments.ts'
import { optionsOf } from '../sandbox/options-of.ts'
import { kindOf, showValue } from '../sandbox/show-value.ts'
import { MetricLabels } from '../telemetry/metric-labels.ts'
import { register } from './peer.ts'

/** A registry of `prom-client`, whatever it prints. */
export type AnyRegistry = Registry<PrometheusContentType> | Registry<OpenMetricsContentType>

/** Options of `hostMetrics`. */
export interface HostMetricsOptions {
  /**
   * Where the metrics are registered.
   *
   * @default the global registry of prom-client
   */
  readonly registry?: AnyRegistry | undefined
  /**
   * What the name of each metric begins with. Two hosts in one registry need two prefixes.
   *
   * @default 'strands_shell_'
   */
  readonly prefix?: string | undefined
  /**
   * The labels of sandboxes that are labels of their metrics, such as `['tenant']`. The first 1000 values of each are told apart;
   * every further one is `other`.
   *
   * @default [] (none)
   */
  readonly labels?: readonly string[] | undefined
}

/** {@link HostMetricsOptions}, valid. */
export interface ResolvedMetricsOptions {
  readonly registry: AnyRegistry
  readonly prefix: string
  readonly labels: MetricLabels
}

/** @throws SandboxConfigError naming the option that is not valid */
export function resolveOptions(options: unknown): ResolvedMetricsOptions {
  const {
    registry = register,
    prefix = 'strands_shell_',
    labels,
  } = optionsOf<HostMetricsOptions>(options, ['registry', 'prefix', 'labels'])
  if (typeof prefix !== 'string' || !/^[a-zA-Z_:][a-zA-Z0-9_:]*$/.test(prefix))
    throw refuse(
      'prefix',
      `must be the begin of a name: letters, digits, "_" and ":", no digit first; but is ${showValue(prefix)}.`,
    )
  return { registry: requireRegistry(registry), prefix, labels: new MetricLabels(labels) }
}

function requireRegistry(registry: unknown): AnyRegistry {
  if (isRegistry(registry)) return registry
  throw refuse('registry', `must be a Registry of prom-client, but is ${kindOf(registry)}.`)
}

/** By what it can do: it may be of another copy of prom-client. */
function isRegistry(value: unknown): value is AnyRegistry {
  return (
    typeof value === 'object' &&
    value !== null &&
    ['registerMetric', 'getSingleMetric', 'removeSingleMetric'].every(
      (name) => typeof Reflect.get(value, name) === 'function',
    )
  )
}
