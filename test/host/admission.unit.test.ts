import { afterEach, describe, expect, it, vi } from 'vitest'
import { strandsEngine } from '../../src/engines/strands/strands-engine.ts'
import {
  Admission,
  type AdmissionLimits,
  type AdmissionWaiter,
  type Quota,
} from '../../src/host/admission.ts'
import { Share } from '../../src/host/tenants/share.ts'
import { TokenBucket } from '../../src/host/tenants/token-bucket.ts'
import { OpenRequest } from '../../src/places/open-request.ts'

const noBound = Number.POSITIVE_INFINITY

/** An admission, and who has entered it or was refused, in order. */
class Door {
  readonly admission: Admission
  readonly told: string[] = []
  readonly #leave = new Map<string, () => void>()

  /** Who waited, in order. */
  readonly queued: string[] = []
  readonly #everyone = new Share<AdmissionWaiter>('')

  constructor(limits: Partial<AdmissionLimits>) {
    this.admission = new Admission(
      { maxSandboxes: 1, maxQueued: 10, ...limits },
      ({ share: { tenant } }) => new Error(`full${tenant}`),
    )
  }

  /** Somebody asks to enter; `told` says in the end what came of it. */
  enter(name: string, quota: Quota = quotaOf(noBound), share = this.#everyone): OpenRequest {
    const request = new OpenRequest(strandsEngine, strandsEngine.blank)
    this.admission
      .enter(request, { quota, share }, () => this.queued.push(name))
      .then(
        (leave) => {
          this.#leave.set(name, leave)
          this.told.push(name)
        },
        ({ message }: Error) => this.told.push(`${name}: ${message}`),
      )
    return request
  }

  leave(name: string): void {
    const leave = this.#leave.get(name)
    if (leave === undefined) throw new Error(`${name} has not entered`)
    leave()
  }

  /** Who has entered or was refused since the last time, and how many are in and wait. */
  async now(): Promise<readonly [told: readonly string[], admitted: number, queued: number]> {
    await new Promise((resolve) => setImmediate(resolve))
    return [this.told.splice(0), this.admission.admitted, this.admission.queued]
  }
}

function quotaOf(most: number, taken = 0): Quota {
  return { most, taken }
}

describe('admission', () => {
  it('admits maxSandboxes, and then those who wait in the order in which they came', async () => {
    const door = new Door({ maxSandboxes: 2 })
    for (const name of ['1', '2', '3', '4']) door.enter(name)
    expect(await door.now()).toEqual([['1', '2'], 2, 2])
    door.leave('2')
    expect(await door.now()).toEqual([['3'], 2, 1])
    door.leave('1')
    door.leave('3')
    expect(await door.now()).toEqual([['4'], 1, 0])
    door.leave('4')
    expect(await door.now()).toEqual([[], 0, 0])
  })

  it('refuses those who find the queue full', async () => {
    const door = new Door({ maxQueued: 1 })
    for (const name of ['1', '2', '3']) door.enter(name)
    expect(await door.now()).toEqual([['1', '3: full'], 1, 1])
    door.leave('1')
    expect(await door.now()).toEqual([['2'], 1, 0])
  })

  it('lets nobody wait with maxQueued 0', async () => {
    const door = new Door({ maxQueued: 0 })
    for (const name of ['1', '2']) door.enter(name)
    expect(await door.now()).toEqual([['1', '2: full'], 1, 0])
  })

  it('names the bounds that let nobody enter', async () => {
    const door = new Door({ maxSandboxes: 2, maxQueued: 1 })
    const [cells, threads] = [quotaOf(1), quotaOf(noBound)]
    const share = new Share<AdmissionWaiter>('')
    const found = () =>
      [cells, threads]
        .map((quota) => ({ quota, share }))
        .map((entrant) => [door.admission.reached(entrant), door.admission.refuses(entrant)])
    expect(found()).toEqual([
      [[], false],
      [[], false],
    ])
    door.enter('1', cells)
    expect(found()).toEqual([
      [['maxCells', 'sandboxesPerCell'], false],
      [[], false],
    ])
    for (const name of ['2', '3']) door.enter(name, threads)
    expect(found()).toEqual([
      [['maxSandboxes'], true],
      [['maxSandboxes'], true],
    ])
  })

  it('counts somebody who leaves once', async () => {
    const door = new Door({})
    const quota = quotaOf(noBound)
    for (const name of ['1', '2', '3']) door.enter(name, quota)
    expect(await door.now()).toEqual([['1'], 1, 2])
    door.leave('1')
    door.leave('1')
    expect([await door.now(), quota.taken]).toEqual([[['2'], 1, 1], 1])
  })

  it('takes a request out of the queue that is cancelled, and rejects with its reason', async () => {
    const door = new Door({})
    door.enter('1')
    const request = door.enter('2')
    door.enter('3')
    request.cancel(new Error('cancelled'))
    expect(await door.now()).toEqual([['1', '2: cancelled'], 1, 1])
    door.leave('1')
    expect(await door.now()).toEqual([['3'], 1, 0])
  })

  it('ignores a request that is cancelled after it was admitted: its caller leaves', async () => {
    const door = new Door({})
    const first = door.enter('1')
    const second = door.enter('2')
    first.cancel(new Error('cancelled'))
    expect(await door.now()).toEqual([['1'], 1, 1])
    door.leave('1')
    second.cancel(new Error('cancelled'))
    expect(await door.now()).toEqual([['2'], 1, 0])
  })

  it('refuses everybody who waits when it is closed', async () => {
    const door = new Door({})
    for (const name of ['1', '2', '3']) door.enter(name)
    door.admission.close(() => new Error('closed'))
    expect(await door.now()).toEqual([['1', '2: closed', '3: closed'], 1, 0])
    door.leave('1')
    expect(await door.now()).toEqual([[], 0, 0])
  })
})

describe('a quota', () => {
  it('keeps its own waiting and lets others pass them', async () => {
    const door = new Door({ maxSandboxes: 3 })
    const [cells, threads] = [quotaOf(1), quotaOf(noBound)]
    for (const name of ['cell 1', 'cell 2', 'cell 3']) door.enter(name, cells)
    for (const name of ['thread 1', 'thread 2', 'thread 3']) door.enter(name, threads)
    expect(await door.now()).toEqual([['cell 1', 'thread 1', 'thread 2'], 3, 3])
    door.leave('thread 1')
    expect(await door.now()).toEqual([['thread 3'], 3, 2])
    door.leave('cell 1')
    expect(await door.now()).toEqual([['cell 2'], 3, 1])
    expect([cells, threads]).toEqual([quotaOf(1, 1), quotaOf(noBound, 2)])
  })

  it('and maxSandboxes together say how many are free', async () => {
    const door = new Door({ maxSandboxes: 3 })
    const [cells, threads] = [quotaOf(2), quotaOf(noBound)]
    const free = () => [door.admission.free(cells), door.admission.free(threads)]
    expect(free()).toEqual([2, 3])
    door.enter('cell 1', cells)
    expect(free()).toEqual([1, 2])
    door.enter('thread 1', threads)
    door.enter('thread 2', threads)
    expect(free()).toEqual([0, 0])
    await door.now()
    door.leave('cell 1')
    expect(free()).toEqual([1, 1])
  })
})

const shareOf = (tenant: string, most?: number) => new Share<AdmissionWaiter>(tenant, most)

describe('tenants', () => {
  it('are admitted in turn: next is the one that has the fewest', async () => {
    const door = new Door({ maxSandboxes: 3 })
    const [a, b] = [shareOf('a'), shareOf('b')]
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) door.enter(name, undefined, a)
    for (const name of ['b1', 'b2', 'b3']) door.enter(name, undefined, b)
    expect(await door.now()).toEqual([['a1', 'a2', 'a3'], 3, 5])
    door.leave('a1')
    door.leave('a2')
    expect(await door.now()).toEqual([['b1', 'a4'], 3, 3])
    door.leave('b1')
    expect(await door.now()).toEqual([['b2'], 3, 2])
  })

  it('at their quota wait, and hold up nobody', async () => {
    const door = new Door({ maxSandboxes: 3 })
    const [a, b] = [shareOf('a', 1), shareOf('b')]
    for (const name of ['a1', 'a2', 'a3']) door.enter(name, undefined, a)
    for (const name of ['b1', 'b2', 'b3']) door.enter(name, undefined, b)
    expect([await door.now(), door.queued]).toEqual([
      [['a1', 'b1', 'b2'], 3, 3],
      ['a2', 'a3', 'b3'],
    ])
    const { admission } = door
    expect([admission.wanted, admission.wantedOf(a), admission.wantedOf(b), admission.awaited]).toEqual([
      1, 2, 0, 3,
    ])
    expect(admission.reached({ quota: quotaOf(noBound), share: a })).toEqual([
      'quotas.maxSandboxes',
      'maxSandboxes',
    ])
    door.leave('b1')
    expect(await door.now()).toEqual([['b3'], 3, 2])
    door.leave('a1')
    expect(await door.now()).toEqual([['a2'], 3, 1])
  })

  it('share a full queue: the last of the tenant with the most is refused for one of a tenant with fewer', async () => {
    const door = new Door({ maxSandboxes: 1, maxQueued: 3 })
    const [a, b] = [shareOf(' a'), shareOf(' b')]
    for (const name of ['a1', 'a2', 'a3', 'a4']) door.enter(name, undefined, a)
    door.enter('a5', undefined, a)
    expect(await door.now()).toEqual([['a1', 'a5: full a'], 1, 3])
    door.enter('b1', undefined, b)
    expect(await door.now()).toEqual([['a4: full a'], 1, 3])
    door.enter('b2', undefined, b)
    expect(await door.now()).toEqual([['b2: full b'], 1, 3])
  })
})

describe('opensPerMinute', () => {
  afterEach(() => void vi.useRealTimers())

  it('lets as many enter at once, and the next ones when their part of a minute has passed', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    const door = new Door({ maxSandboxes: 10 })
    const share = new Share<AdmissionWaiter>('a', undefined, new TokenBucket(2, () => performance.now()))
    for (const name of ['1', '2', '3', '4']) door.enter(name, undefined, share)
    expect(await door.now()).toEqual([['1', '2'], 2, 2])
    const { admission } = door
    expect([admission.reached({ quota: quotaOf(noBound), share }), admission.awaited]).toEqual([
      ['quotas.opensPerMinute'],
      0,
    ])
    vi.advanceTimersByTime(29_000)
    expect(await door.now()).toEqual([[], 2, 2])
    vi.advanceTimersByTime(1_001)
    expect(await door.now()).toEqual([['3'], 3, 1])
    door.leave('1')
    door.enter('5', undefined, share)
    vi.advanceTimersByTime(30_000)
    expect(await door.now()).toEqual([['4'], 3, 1])
    vi.advanceTimersByTime(30_000)
    expect(await door.now()).toEqual([['5'], 4, 0])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('holds up no other tenant, and is refused where nobody may wait', async () => {
    const door = new Door({ maxSandboxes: 10, maxQueued: 0 })
    const share = new Share<AdmissionWaiter>(' a', undefined, new TokenBucket(1, () => 0))
    for (const name of ['1', '2']) door.enter(name, undefined, share)
    door.enter('other')
    expect(await door.now()).toEqual([['1', '2: full a', 'other'].sort(), 2, 0])
  })
})
