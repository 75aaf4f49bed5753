import { requirePeer } from '../tools/require-peer.ts'

export const { context, createNoopMeter, metrics, ProxyTracerProvider, SpanKind, SpanStatusCode, trace } =
  await requirePeer('@opentelemetry/api', () => import('@opentelemetry/api'))
