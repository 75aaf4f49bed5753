import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { Keys } from '../../src/cluster/keys.ts'
import { Registry } from '../../src/cluster/registry.ts'
import { type RedisProcess, startRedis } from './redis-process.ts'

/** Longer than the tests: claims that wait for the end of leases are refused. */
const lease = 600_000
const stored = { seen: 1, isKnown: true }
let redis: RedisProcess
let registry: Registry
let name = 0

beforeAll(async () => {
  redis = await startRedis()
})

beforeEach(async () => {
  name += 1
  registry = await Registry.open(redis.url, `registry-${name}`, 10)
  for (const instance of ['a', 'b']) {
    const fields = { url: `http://${instance}`, labels: {}, sessions: 0, jobs: 0, draining: false }
    await registry.renew(instance, fields, lease)
  }
  return () => registry.close()
})

afterAll(() => redis.stop())

const claim = (instance: string, how = stored) =>
  registry.claim({ instance, url: `http://${instance}`, lease }, 'session', how)

test('a stored session that nobody has is not taken up while a lease may last that Redis has forgotten', async () => {
  expect(await claim('a')).toMatchObject({ outcome: 'young' })
})

test('a session that its node has released is taken up at once, with a higher fence', async () => {
  expect(await claim('a', { seen: 0, isKnown: false })).toEqual({ outcome: 'claimed', fence: 1 })
  expect(await claim('b')).toEqual({ outcome: 'taken' })
  await registry.release('a', { id: 'session', fence: 1 }, false)
  expect(await claim('b')).toEqual({ outcome: 'claimed', fence: 2 })
})

test('a release that another run of Redis has written down says nothing about who has the session now', async () => {
  await claim('a', { seen: 0, isKnown: false })
  await registry.release('a', { id: 'session', fence: 1 }, false)
  await redis.redis.hset(new Keys(`registry-${name}`).session('session'), 'released', 'another run')
  expect(await claim('b')).toMatchObject({ outcome: 'young' })
})

test('a release says nothing any more once a node has written the session down as its own', async () => {
  await claim('a', { seen: 0, isKnown: false })
  await registry.release('a', { id: 'session', fence: 1 }, false)
  await registry.reclaim('b', 'http://b', [{ id: 'session', fence: 2 }])
  await registry.leave('b')
  expect(await claim('a')).toMatchObject({ outcome: 'young' })
})
