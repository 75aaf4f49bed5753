/** A metric in the terms of OpenTelemetry. The names of Prometheus follow from it by the rule of `prometheusName`. */
export interface MetricDefinition {
  /** Behind `strands_shell.`, or the prefix that replaces it. */
  readonly name: string
  /** Seconds, bytes, or what is counted, in braces. */
  readonly unit: 's' | 'By' | `{${string}}`
  readonly description: string
}

/** A metric that events are measured by. */
export interface EventMetric extends MetricDefinition {
  readonly kind: 'counter' | 'histogram'
  readonly labels: readonly string[]
  /** The upper bounds of a histogram, in its unit. */
  readonly buckets?: readonly number[]
}

/** Seconds of what is as short as a file operation. */
const short = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5]
/** Seconds of what may be as long as a command. */
const long = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]

const sandbox = ['shell', 'isolation'] as const

/** What is measured of the events of sandboxes. */
export const EVENT_METRICS = {
  commands: counter('commands', '{command}', 'Commands and code that have ended', [...sandbox, 'outcome']),
  commandDuration: histogram('command.duration', 'Time that commands and code ran', sandbox, long),
  commandWait: histogram('command.wait', 'Time that commands and code waited before they ran', sandbox, long),
  commandOutput: counter('command.output', 'By', 'Output of commands and code in results', [
    ...sandbox,
    'stream',
  ]),
  fileOperations: counter('file.operations', '{operation}', 'File operations that have ended', [
    ...sandbox,
    'operation',
    'outcome',
  ]),
  fileDuration: histogram('file.duration', 'Time of file operations', [...sandbox, 'operation'], short),
  fileContent: counter('file.content', 'By', 'Content that file operations read or wrote', [
    ...sandbox,
    'operation',
  ]),
  opens: counter('opens', '{session}', 'Openings of sessions that have ended', [...sandbox, 'outcome']),
  openDuration: histogram('open.duration', 'Time until a session was open', sandbox, long),
  wakeDuration: histogram('wake.duration', 'Time until a stored session was open again', sandbox, long),
  closes: counter('closes', '{sandbox}', 'Sandboxes that were closed', [...sandbox, 'reason']),
  losses: counter('losses', '{session}', 'Sessions that were lost', [...sandbox, 'reason']),
  hibernations: counter('hibernations', '{session}', 'Sessions that were stored and gave their place up', [
    ...sandbox,
    'reason',
  ]),
  checkpoints: counter('checkpoints', '{checkpoint}', 'Checkpoints that were stored', sandbox),
  storeFailures: counter('store.failures', '{failure}', 'Failures of the store of sessions', [
    ...sandbox,
    'operation',
    'reason',
  ]),
  conflicts: counter(
    'mirror.conflicts',
    '{conflict}',
    'Paths that sandbox and host changed at once',
    sandbox,
  ),
  policyVerdicts: counter('policy.verdicts', '{verdict}', 'Calls that a policy has not just allowed', [
    ...sandbox,
    'verdict',
  ]),
  egressRequests: counter('egress.requests', '{request}', 'Requests to the network that have ended', [
    'allowed',
    'reason',
  ]),
  egressDuration: histogram('egress.duration', 'Time of requests to the network', [], long),
  egressContent: counter('egress.content', 'By', 'Bodies of requests to the network', ['direction']),
} as const satisfies Readonly<Record<string, EventMetric>>

/** The key of a metric in {@link EVENT_METRICS}. */
export type EventMetricKey = keyof typeof EVENT_METRICS

/** Their keys. */
export const EVENT_METRIC_KEYS = Object.keys(EVENT_METRICS) as readonly EventMetricKey[]

/** Names that labels of sandboxes cannot have as labels of metrics. */
export const OWN_LABELS: ReadonlySet<string> = new Set([
  'le',
  ...Object.values(EVENT_METRICS).flatMap(({ labels }): readonly string[] => labels),
])

function counter(
  name: string,
  unit: EventMetric['unit'],
  description: string,
  labels: readonly string[],
): EventMetric {
  return { kind: 'counter', name, unit, description, labels }
}

function histogram(
  name: string,
  description: string,
  labels: readonly string[],
  buckets: readonly number[],
): EventMetric {
  return { kind: 'histogram', name, unit: 's', description, labels, buckets }
}
