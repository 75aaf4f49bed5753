import { describe, expect, it } from 'vitest'
import { CallLedger } from '../../soak/call-ledger.ts'
import { Model } from '../../soak/model.ts'
import { SharedLock } from '../../soak/shared-lock.ts'

const never = () => new Promise<never>(() => undefined)

describe('checks of the call ledger', () => {
  it('accept calls that resolved or rejected', async () => {
    const calls = new CallLedger()
    const failing = () => Promise.reject(new Error('of a call'))
    await expect(
      Promise.allSettled([calls.track('a', async () => 1), calls.track('b', failing)]),
    ).resolves.toMatchObject([{ value: 1 }, { reason: { message: 'of a call' } }])
    calls.checkIdle()
    expect([calls.started, calls.settled, calls.inFlight]).toEqual([2, 2, 0])
  })

  it('report a call that is pending while nobody makes any', () => {
    const calls = new CallLedger()
    void calls.track('the one', never)
    expect(() => calls.checkIdle()).toThrow('1 calls were started and 0 settled: the one')
  })

  it('report a call that does not settle in two minutes', () => {
    const calls = new CallLedger()
    void calls.track('the one', never)
    calls.checkOverdue()
    expect(() => calls.checkOverdue(performance.now() + 121_000)).toThrow(
      'a call has not settled in 120 s: the one',
    )
  })
})

it('a shared lock admits many holders at once, or one exclusively', async () => {
  const lock = new SharedLock()
  const seen: string[] = []
  await Promise.all([lock.acquire(), lock.acquire()])
  const alone = lock.exclusive(async () => void seen.push('alone'))
  const late = lock.acquire().then(() => seen.push('late'))
  lock.release()
  await Promise.resolve()
  expect(seen).toEqual([])
  lock.release()
  await Promise.all([alone, late])
  expect(seen).toEqual(['alone', 'late'])
})

describe('a model', () => {
  it('holds one value, and several possible ones after an interruption', () => {
    const model = new Model()
    model.read('a', undefined)
    model.set('a', '1')
    model.maySet('a', '2')
    model.read('a', '1')
    expect(() => model.read('a', '2')).toThrow('a holds "2", and should hold "1"')
    expect(() => model.read('b', '1')).toThrow('b holds "1", and should hold nothing')
    model.clear()
    expect(() => model.read('a', '1')).toThrow('a holds "1", and should hold nothing')
  })
})
