import { requirePeer } from '../tools/require-peer.ts'

export const { Counter, Gauge, Histogram, register, Registry } = await requirePeer(
  'prom-client',
  () => import('prom-client'),
)
