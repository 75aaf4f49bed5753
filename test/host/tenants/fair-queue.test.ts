import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FairQueue } from '../../../src/host/tenants/fair-queue.ts'
import { Share } from '../../../src/host/tenants/share.ts'

/** A queue of names such as `a1`, which are of the tenant `a`. */
function queueOf(...names: readonly string[]) {
  const queue = new FairQueue<string>()
  const shares = new Map<string, Share<string>>()
  const share = (name: string) => {
    const tenant = name.slice(0, 1)
    const known = shares.get(tenant) ?? new Share<string>(tenant)
    shares.set(tenant, known)
    return known
  }
  for (const name of names) queue.add(share(name), name)
  /** Takes out who is next, and counts what it has. */
  const take = () => {
    const next = queue.next()
    if (next !== undefined) next.share.taken += 1
    return next?.waiter
  }
  return { queue, share, take }
}

describe('those who wait', () => {
  it('come first, first served where they are one tenant', () => {
    const { take } = queueOf('a1', 'a2', 'a3')
    expect([take(), take(), take(), take()]).toEqual(['a1', 'a2', 'a3', undefined])
  })

  it('are served tenant by tenant', () => {
    const { queue, take } = queueOf('a1', 'a2', 'a3', 'b1', 'b2', 'c1')
    const served = Array.from({ length: 6 }, take)
    expect([served, queue.size]).toEqual([['a1', 'b1', 'c1', 'a2', 'b2', 'a3'], 0])
  })

  it('take turns also where what they are given is given back at once', () => {
    const { queue } = queueOf('a1', 'a2', 'a3', 'b1', 'b2')
    const served = Array.from({ length: 5 }, () => queue.next()?.waiter)
    expect(served).toEqual(['a1', 'b1', 'a2', 'b2', 'a3'])
  })

  it('of a tenant that may have no more are passed over', () => {
    const { queue, share, take } = queueOf('a1', 'b1')
    Object.assign(share('a'), { most: 1, taken: 1 })
    expect([queue.hasNext, take(), take(), queue.hasNext, queue.size]).toEqual([
      true,
      'b1',
      undefined,
      false,
      1,
    ])
    share('a').taken = 0
    expect([queue.hasNext, take()]).toEqual([true, 'a1'])
  })

  it('are passed over one by one where they do not fit', () => {
    const { queue } = queueOf('a1', 'a2', 'b1')
    expect(queue.next((name) => name !== 'a1')?.waiter).toBe('a2')
    expect(queue.next((name) => name === 'c1')).toBeUndefined()
  })

  it('leave, and all of them at once', () => {
    const { queue, share } = queueOf('a1', 'a2', 'b1')
    expect([queue.remove(share('b'), 'b1'), queue.remove(share('b'), 'b1'), queue.size]).toEqual([
      true,
      false,
      2,
    ])
    expect([queue.clear(), queue.size, share('a').waiters.size]).toEqual([['a1', 'a2'], 0, 0])
  })
})

/** What happens to a queue: somebody of a tenant comes, or what somebody of a tenant has is free again. */
const events = fc.array(fc.record({ kind: fc.constantFrom('come', 'leave'), tenant: fc.nat(4) }), {
  minLength: 50,
  maxLength: 200,
  size: 'max',
})

it('nobody waits for more than the share of others: who is next has no more than any tenant that waits', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 6 }), events, (places, all) => {
      const queue = new FairQueue<symbol>()
      const shares = Array.from({ length: 5 }, (_, tenant) => new Share<symbol>(String(tenant), 1 + tenant))
      /** How many were served since each began to wait with nothing. */
      const passed = new Map<Share<symbol>, number>()
      let free = places
      const serve = () => {
        while (free > 0) {
          const waiting = [...queue.shares]
          const next = queue.next()
          if (next === undefined) {
            expect(waiting.filter(({ mayTake }) => mayTake)).toEqual([])
            return
          }
          const { share } = next
          for (const other of waiting) {
            if (other.mayTake) expect(share.taken).toBeLessThanOrEqual(other.taken)
            if (other.taken === 0 && other !== share) passed.set(other, (passed.get(other) ?? 0) + 1)
          }
          passed.delete(share)
          share.taken += 1
          free -= 1
          // Five tenants: at most four others are before one that has nothing.
          expect(Math.max(0, ...passed.values())).toBeLessThanOrEqual(4)
        }
      }
      for (const { kind, tenant } of all) {
        const share = shares[tenant]
        if (share === undefined) continue
        if (kind === 'come') queue.add(share, Symbol())
        else if (share.taken > 0) {
          share.taken -= 1
          free += 1
        }
        serve()
      }
    }),
  )
})
