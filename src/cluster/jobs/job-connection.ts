import type { Redis } from 'ioredis'
import { requirePeer } from '../../tools/require-peer.ts'

/** Milliseconds between attempts to connect, at most. */
const longestWait = 1_000

/** A connection of BullMQ, which asks for one without a bound on retries where it waits for jobs or events. */
export async function jobConnection(url: string, isWaiting: boolean): Promise<Redis> {
  const { Redis } = await requirePeer('ioredis', () => import('ioredis'))
  const redis = new Redis(url, {
    maxRetriesPerRequest: isWaiting ? null : 3,
    retryStrategy: (times) => Math.min(50 * times, longestWait),
    ...(isWaiting ? {} : { commandTimeout: 5_000 }),
  })
  // BullMQ tells of them, too.
  redis.on('error', () => undefined)
  return redis
}
