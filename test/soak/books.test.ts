import { describe, expect, it } from 'vitest'
import { CallBook } from '../../soak/calls.ts'
import { Gate } from '../../soak/gate.ts'
import { Model } from '../../soak/model.ts'

const never = () => new Promise<never>(() => undefined)

describe('calls', () => {
  it('that settle, also by an error, are in order', async () => {
    const calls = new CallBook()
    const failing = () => Promise.reject(new Error('of a call'))
    await expect(
      Promise.allSettled([calls.track('a', async () => 1), calls.track('b', failing)]),
    ).resolves.toMatchObject([{ value: 1 }, { reason: { message: 'of a call' } }])
    calls.checkRest()
    expect([calls.started, calls.settled, calls.inFlight]).toEqual([2, 2, 0])
  })

  it('that are pending while nobody makes any are a violation', () => {
    const calls = new CallBook()
    void calls.track('the one', never)
    expect(() => calls.checkRest()).toThrow('1 calls were started and 0 settled: the one')
  })

  it('that do not settle in two minutes are a violation', () => {
    const calls = new CallBook()
    void calls.track('the one', never)
    calls.checkPatience()
    expect(() => calls.checkPatience(performance.now() + 121_000)).toThrow(
      'a call has not settled in 120 s: the one',
    )
  })
})

it('a gate lets many in at once, or one alone', async () => {
  const gate = new Gate()
  const seen: string[] = []
  await Promise.all([gate.enter(), gate.enter()])
  const alone = gate.alone(async () => void seen.push('alone'))
  const late = gate.enter().then(() => seen.push('late'))
  gate.leave()
  await Promise.resolve()
  expect(seen).toEqual([])
  gate.leave()
  await Promise.all([alone, late])
  expect(seen).toEqual(['alone', 'late'])
})

describe('a model', () => {
  it('knows what must be there, and after an interruption what may be', () => {
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
