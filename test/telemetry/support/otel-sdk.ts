import { type Attributes, context, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { type CollectionResult, MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { onTestFinished } from 'vitest'

/** A tracer provider whose spans are kept in memory, and a context manager until the test's end. */
export function tracingSdk() {
  const exporter = new InMemorySpanExporter()
  const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  onTestFinished(() => context.disable())
  const tracer = tracerProvider.getTracer('test')
  return {
    tracerProvider,
    /** Spans of the package so far. */
    spans: () =>
      exporter.getFinishedSpans().filter(({ instrumentationScope }) => instrumentationScope.name !== 'test'),
    /** Runs a call under a span of its own, which it gives with the spans below it. */
    async under(name: string, call: () => unknown): Promise<ReadableSpan[]> {
      const id = await tracer.startActiveSpan(name, async (span) => {
        await call()
        span.end()
        return span.spanContext().spanId
      })
      return exporter.getFinishedSpans().filter(({ parentSpanContext }) => parentSpanContext?.spanId === id)
    },
  }
}

/** Sets the tracer provider for the process until the test's end. */
export function useGlobally(provider: BasicTracerProvider): void {
  trace.setGlobalTracerProvider(provider)
  onTestFinished(() => trace.disable())
}

/** What a span tells. */
export function shown({
  name,
  attributes,
  status,
}: ReadableSpan): readonly [string, 'error' | 'ok', Attributes] {
  return [name, status.code === SpanStatusCode.ERROR ? 'error' : 'ok', attributes]
}

/** Milliseconds since the epoch. */
export function timesOf({ startTime, endTime }: ReadableSpan): readonly [start: number, end: number] {
  const [start, end] = [startTime, endTime].map(
    ([seconds, nanoseconds]) => seconds * 1000 + nanoseconds / 1e6,
  )
  return [start ?? 0, end ?? 0]
}

class MemoryReader extends MetricReader {
  protected override async onForceFlush(): Promise<void> {
    // Nothing is exported.
  }

  protected override async onShutdown(): Promise<void> {
    // Nothing is exported.
  }
}

/** A meter provider, and a look at its metrics. */
export function meteringSdk() {
  const reader = new MemoryReader()
  const meterProvider = new MeterProvider({ readers: [reader] })
  return { meterProvider, collect: (): Promise<CollectionResult> => reader.collect() }
}
