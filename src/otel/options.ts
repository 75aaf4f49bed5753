import type { MeterProvider, TracerProvider } from '@opentelemetry/api'
import { refuse } from '../sandbox/arguments.ts'
import { optionsOf } from '../sandbox/options-of.ts'
import { kindOf } from '../sandbox/show-value.ts'
import { MetricLabels } from '../telemetry/metric-labels.ts'

/** Options of `instrument`. */
export interface InstrumentOptions {
  /**
   * What makes spans.
   *
   * @default the global one
   */
  readonly tracerProvider?: TracerProvider | undefined
  /**
   * What makes metrics.
   *
   * @default the global one
   */
  readonly meterProvider?: MeterProvider | undefined
  /**
   * The labels of sandboxes that are attributes of their metrics, such as `['tenant']`. The first 1000 values of each are told
   * apart; every further one is `other`. Spans have all labels.
   *
   * @default [] (none)
   */
  readonly labels?: readonly string[] | undefined
  /**
   * Whether spans have the text of commands and code: its first 4096 characters, with `***` for values of `secretEnv` and tokens of
   * credentials.
   *
   * @default true
   */
  readonly commands?: boolean | undefined
}

/** {@link InstrumentOptions}, valid. */
export interface ResolvedOptions {
  readonly tracerProvider: TracerProvider | undefined
  readonly meterProvider: MeterProvider | undefined
  readonly labels: MetricLabels
  readonly commands: boolean
}

/** @throws SandboxConfigError naming the option that is not valid */
export function resolveOptions(options: unknown): ResolvedOptions {
  const {
    tracerProvider,
    meterProvider,
    labels,
    commands = true,
  } = optionsOf<InstrumentOptions>(options, ['tracerProvider', 'meterProvider', 'labels', 'commands'])
  if (tracerProvider !== undefined && !isTracerProvider(tracerProvider))
    throw refuse('tracerProvider', `must be a TracerProvider, but is ${kindOf(tracerProvider)}.`)
  if (meterProvider !== undefined && !isMeterProvider(meterProvider))
    throw refuse('meterProvider', `must be a MeterProvider, but is ${kindOf(meterProvider)}.`)
  if (typeof commands !== 'boolean')
    throw refuse('commands', `must be true or false, but is ${kindOf(commands)}.`)
  return { tracerProvider, meterProvider, labels: new MetricLabels(labels), commands }
}

function isTracerProvider(value: unknown): value is TracerProvider {
  return has(value, 'getTracer')
}

function isMeterProvider(value: unknown): value is MeterProvider {
  return has(value, 'getMeter')
}

function has(value: unknown, method: string): boolean {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, method) === 'function'
}
