import { EventEmitter } from 'node:events'
import { Worker } from 'node:worker_threads'
import fc from 'fast-check'
import { afterAll, afterEach, expect, it, vi } from 'vitest'
import { GATE_COUNT, GATE_RETIRED, LEASE_STEPS } from '../../../src/contract/lease.ts'
import { WorkerHandle } from '../../../src/places/threads/worker-handle.ts'
import type { WorkerLease } from '../../../src/places/threads/worker-lease.ts'

const thread = new Worker('', { eval: true })
afterAll(() => thread.terminate())
afterEach(() => vi.useRealTimers())

interface Lease {
  readonly seat: WorkerLease
  readonly gate: Int32Array
  readonly calls: Int32Array
  building: boolean
  over: boolean
}

/** A thread that counts its native calls as a real one does, and remembers how many there were when it was ended. */
class Model {
  readonly inFlightAtEnd: number[] = []
  readonly leases: Lease[] = []
  readonly slot: WorkerHandle
  readonly #shared = new SharedArrayBuffer(4)
  readonly #gate = new Int32Array(this.#shared)

  constructor(capacity: number) {
    const worker = Object.assign(Object.create(thread), EventEmitter.prototype, {
      terminate: () => {
        this.inFlightAtEnd.push(this.inFlight)
        return Promise.resolve(0)
      },
    })
    EventEmitter.call(worker)
    this.slot = new WorkerHandle(worker, { capacity })
    this.slot.markStarted()
  }

  get inFlight(): number {
    return Atomics.load(this.#gate, 0) & GATE_COUNT
  }

  take(): void {
    if (this.slot.free === 0) return
    const shared = new SharedArrayBuffer(4)
    const calls = new SharedArrayBuffer(64)
    const lease = {
      seat: this.slot.take(shared, calls),
      gate: new Int32Array(shared),
      calls: new Int32Array(calls),
      building: true,
      over: false,
    }
    this.leases.push(lease)
    if (!this.begin(lease)) this.built(lease)
  }

  built(lease: Lease): void {
    if (!lease.building) return
    lease.building = false
    if (lease.gate[0] !== undefined && (lease.gate[0] & GATE_COUNT) > 0) this.finish(lease)
    this.slot.built(lease.seat, this.#shared)
  }

  begin(lease: Lease): boolean {
    const word = Atomics.load(lease.gate, 0)
    if (((Atomics.load(this.#gate, 0) | word) & GATE_RETIRED) !== 0) return false
    Atomics.add(lease.gate, 0, 1)
    Atomics.add(this.#gate, 0, 1)
    return true
  }

  finish(lease: Lease): void {
    if ((Atomics.load(lease.gate, 0) & GATE_COUNT) === 0) return
    Atomics.sub(lease.gate, 0, 1)
    Atomics.sub(this.#gate, 0, 1)
  }
}

const steps: Readonly<Record<string, (model: Model, lease: Lease) => void>> = {
  built: (model, lease) => model.built(lease),
  begin: (model, lease) => {
    if (!lease.building && !lease.over) model.begin(lease)
  },
  finish: (model, lease) => {
    if (!lease.building) model.finish(lease)
  },
  release: ({ slot }, lease) => {
    if (lease.over || lease.seat.busy) return
    lease.over = true
    slot.release(lease.seat)
  },
  giveUp: ({ slot }, lease) => {
    lease.over = true
    slot.retireLease(lease.seat, { suspect: false })
  },
  suspect: ({ slot }, lease) => {
    lease.over = true
    slot.retireLease(lease.seat, { suspect: true })
  },
  retire: ({ slot }) => slot.retire(),
  revoke: ({ slot }) => slot.revoke({ code: 'HOST_CLOSED', message: 'The host was closed.' }),
}

it('never ends a thread while one of its native calls, a build included, is in flight', () => {
  const often = ['take', 'take', 'built', 'built', 'begin', 'begin', 'finish', 'finish', 'release', 'giveUp']
  const step = fc.tuple(fc.constantFrom(...often, 'suspect', 'retire', 'revoke'), fc.nat(7))
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4 }), fc.array(step, { maxLength: 40 }), (capacity, taken) => {
      const model = new Model(capacity)
      for (const [name, which] of taken) {
        const lease = model.leases[which % Math.max(1, model.leases.length)]
        if (name === 'take') model.take()
        else if (lease !== undefined) steps[name]?.(model, lease)
      }
      expect(model.inFlightAtEnd.filter((inFlight) => inFlight > 0)).toEqual([])
    }),
    { numRuns: 2000 },
  )
})

it('takes no lease while it waits for a step of another, and takes leases again after two such looks', () => {
  vi.useFakeTimers()
  const { model, alive } = withStuckLease()
  model.slot.endIfStuck()
  vi.advanceTimersByTime(300)
  model.slot.endIfStuck()
  expect(model.slot.free).toBe(0)
  Atomics.add(alive.calls, LEASE_STEPS, 1)
  vi.advanceTimersByTime(300)
  expect(model.slot.free).toBe(0)
  Atomics.add(alive.calls, LEASE_STEPS, 1)
  vi.advanceTimersByTime(300)
  expect({ free: model.slot.free, ends: model.inFlightAtEnd }).toEqual({ free: 2, ends: [] })
})

it('stays without new leases after a look where a lease was not to be trusted meanwhile', () => {
  vi.useFakeTimers()
  const { model, alive } = withStuckLease()
  model.slot.endIfStuck()
  model.take()
  const doubtful = model.slot.take(new SharedArrayBuffer(4), new SharedArrayBuffer(64))
  model.slot.built(doubtful)
  model.slot.retireLease(doubtful, { suspect: true })
  Atomics.add(alive.calls, LEASE_STEPS, 1)
  vi.advanceTimersByTime(1000)
  expect(model.slot.free).toBe(0)
})

/** A thread with three places: one lease of it is alive, one has been retired. */
function withStuckLease(): { model: Model; alive: Lease } {
  const model = new Model(3)
  model.take()
  model.take()
  const [stuck, alive] = model.leases
  if (stuck === undefined || alive === undefined) throw new Error('The thread took no two leases.')
  model.built(stuck)
  model.built(alive)
  model.slot.retireLease(stuck.seat, { suspect: false })
  return { model, alive }
}
