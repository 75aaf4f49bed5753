import { metrics, trace } from '@opentelemetry/api'
import { DataPointType } from '@opentelemetry/sdk-metrics'
import { Registry } from 'prom-client'
import { expect, it, onTestFinished } from 'vitest'
import { instrument } from '../../src/otel/index.ts'
import { hostMetrics } from '../../src/prometheus/index.ts'
import { prometheusName } from '../../src/prometheus/names.ts'
import { refusalOf } from '../session/support/ends.ts'
import { tellEveryEvent } from './support/every-event.ts'
import { about, command, FakeHost } from './support/fake-host.ts'
import { meteringSdk, tracingSdk, useGlobally } from './support/otel-sdk.ts'

it('its metrics have the names and values of those of Prometheus', async () => {
  const { meterProvider, collect } = meteringSdk()
  const host = new FakeHost()
  const registry = new Registry()
  const telemetry = instrument(host, { meterProvider, labels: ['tenant'] })
  hostMetrics(host, { registry, labels: ['tenant'] })
  tellEveryEvent(host, { tenant: 't' })
  const { resourceMetrics, errors } = await collect()
  expect(errors).toEqual([])
  const found = resourceMetrics.scopeMetrics.flatMap(({ metrics: all }) => all)
  const names = found.map(({ descriptor, dataPointType }) => {
    if (dataPointType === DataPointType.HISTOGRAM) return prometheusName(descriptor, 'histogram')
    return prometheusName(descriptor, dataPointType === DataPointType.SUM ? 'counter' : 'gauge')
  })
  const all = await registry.getMetricsAsJSON()
  expect(names.sort()).toEqual(all.map(({ name }) => name).sort())
  const point = (name: string) => found.find(({ descriptor }) => descriptor.name === name)?.dataPoints[0]
  expect(point('strands_shell.commands')).toMatchObject({
    value: 1,
    attributes: { shell: 'bash', isolation: 'shared', tenant: 't', outcome: 'ok' },
  })
  expect(point('strands_shell.command.duration')?.value).toMatchObject({ sum: 0.002, count: 1 })
  expect(point('strands_shell.command.duration')?.value).toMatchObject({
    buckets: { boundaries: expect.arrayContaining([0.0005, 300]) },
  })
  expect(point('strands_shell.process.memory.resident')?.value).toBe(1_000_000)
  expect(point('strands_shell.tenant.sandboxes.leased')).toMatchObject({
    value: 2,
    attributes: { tenant: 'a' },
  })
  const looks = host.looks
  telemetry.stop()
  await collect()
  expect(host.looks).toBe(looks)
})

it('nothing is listened to while no SDK is set up; one that is set up later is found at the next opening', () => {
  const host = new FakeHost()
  const telemetry = instrument(host)
  const heard = (['command', 'file', 'egress', 'egressEnd', 'idle'] as const).filter((kind) =>
    host.listensTo(kind),
  )
  expect(heard).toEqual([])
  const { tracerProvider, spans } = tracingSdk()
  useGlobally(tracerProvider)
  host.tell('opened', { ...about('opened'), durationMs: 1 })
  host.tell('command', { ...about('command'), ...command })
  expect(spans().map(({ name }) => name)).toEqual(['strands_shell.command'])
  const { meterProvider } = meteringSdk()
  metrics.setGlobalMeterProvider(meterProvider)
  onTestFinished(() => metrics.disable())
  expect(host.listensTo('lost')).toBe(false)
  host.tell('opened', { ...about('opened'), durationMs: 1 })
  expect(host.listensTo('lost')).toBe(true)
  telemetry.stop()
  telemetry.stop()
  const left = (['opened', 'command', 'lost'] as const).filter((kind) => host.listensTo(kind))
  expect(left).toEqual([])
})

it('an SDK that is there is used at once', () => {
  const { tracerProvider, spans } = tracingSdk()
  useGlobally(tracerProvider)
  expect(trace.getTracerProvider()).not.toBe(tracerProvider)
  const host = new FakeHost()
  instrument(host)
  host.tell('opened', { ...about('opened'), durationMs: 1 })
  expect(spans().map(({ name }) => name)).toEqual(['strands_shell.open'])
})

it('a host has one instrumentation at a time', () => {
  const host = new FakeHost()
  const first = instrument(host)
  expect(refusalOf(() => instrument(host))).toEqual([
    'INVALID_CONFIG',
    'host is instrumented already, and would have every span twice. Call stop() of that first.',
  ])
  first.stop()
  const second = instrument(host)
  first.stop()
  expect(refusalOf(() => instrument(host))).toMatchObject(['INVALID_CONFIG', expect.any(String)])
  second.stop()
})

it.each<readonly [message: string, host: unknown, options: unknown]>([
  ['host must be a ShellHost, but is undefined.', undefined, {}],
  ['tracerProvider must be a TracerProvider, but is an object.', new FakeHost(), { tracerProvider: {} }],
  ['meterProvider must be a MeterProvider, but is a number.', new FakeHost(), { meterProvider: 1 }],
  ['commands must be true or false, but is null.', new FakeHost(), { commands: null }],
  [
    'labels[0] is "shell", a label that the metrics have. Give the label of the sandboxes another name.',
    new FakeHost(),
    { labels: ['shell'] },
  ],
  [
    'tracer is no option. Known here: tracerProvider, meterProvider, labels, commands.',
    new FakeHost(),
    { tracer: 1 },
  ],
])('is refused: %s', (message, host, options) => {
  expect(refusalOf(() => Reflect.apply(instrument, undefined, [host, options]))).toEqual([
    'INVALID_CONFIG',
    message,
  ])
})
