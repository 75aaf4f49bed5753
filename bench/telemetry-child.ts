// The time of execute('true') with telemetry of several kinds and with none, in turns: prints the medians and ratios.
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { Registry } from 'prom-client'
import { ShellHost } from '../src/index.ts'
import { instrument } from '../src/otel/index.ts'
import { hostMetrics } from '../src/prometheus/index.ts'
import { median } from './statistics.ts'
import { timed } from './timed.ts'

const [countText = ''] = process.argv.slice(2)
const count = Number(countText)

/** Without a batch: each span is handed over as it ends. */
function withSpans(host: ShellHost): void {
  const exporter = new InMemorySpanExporter()
  const spanProcessors = [new SimpleSpanProcessor(exporter)]
  instrument(host, { tracerProvider: new BasicTracerProvider({ spanProcessors }) })
  host.on('idle', () => exporter.reset())
}

const kinds: Readonly<Record<string, (host: ShellHost) => void>> = {
  none: () => undefined,
  'no SDK': (host) => void instrument(host),
  spans: withSpans,
  prometheus: (host) => void hostMetrics(host, { registry: new Registry() }),
}

const hosts = new Map(Object.keys(kinds).map((kind) => [kind, new ShellHost({ isolation: 'worker' })]))
const calls: (readonly [kind: string, call: () => Promise<unknown>])[] = []
for (const [kind, host] of hosts) {
  kinds[kind]?.(host)
  const sandbox = await host.open()
  calls.push([kind, () => sandbox.execute('true')])
}

async function medianOf(call: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let made = 0; made < count; made++) times.push(await timed(call))
  return median(times)
}

for (const [, call] of calls) await medianOf(call)
const rounds: Readonly<Record<string, number>>[] = []
for (let round = 0; round < 21; round++) {
  const figures: Record<string, number> = {}
  // Each kind is the first in turn.
  const turn = [...calls.slice(round % calls.length), ...calls.slice(0, round % calls.length)]
  for (const [kind, call] of turn) figures[kind] = await medianOf(call)
  rounds.push(figures)
}
const of = (kind: string) => rounds.map((figures) => figures[kind] ?? Number.NaN)
const ratio = (kind: string) =>
  median(rounds.map((figures) => (figures[kind] ?? Number.NaN) / (figures['none'] ?? Number.NaN)))
const names = Object.keys(kinds)
console.log(
  JSON.stringify({
    ...Object.fromEntries(names.map((kind) => [kind, median(of(kind))])),
    ...Object.fromEntries(names.map((kind) => [`${kind} / none`, ratio(kind)])),
  }),
)
await Promise.all([...hosts.values()].map((host) => host.close()))
