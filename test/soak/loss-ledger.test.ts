import { describe, expect, it } from 'vitest'
import { LossLedger } from '../../soak/loss-ledger.ts'

const later = () => performance.now() + 61_000

/** A ledger in which the session of `a` was lost to a fault, as its host reported. */
function lossOfA(): LossLedger {
  const ledger = new LossLedger()
  ledger.announce({ reasons: ['ENGINE_PANIC'], victims: ['a'] })
  ledger.lost('a', 2, 'ENGINE_PANIC')
  return ledger
}

describe('the ledger accepts a loss that', () => {
  it('a fault explains, its host reports, and one call reports before the next succeeds', () => {
    const ledger = lossOfA()
    ledger.told('a', 2, 'ENGINE_PANIC', performance.now())
    ledger.succeeded('a', 2)
    ledger.check(later())
    expect([ledger.injected, ledger.seen]).toEqual([1, 1])
  })

  it('several calls report that were pending together', () => {
    const madeAt = performance.now()
    const ledger = lossOfA()
    ledger.told('a', 2, 'ENGINE_PANIC', madeAt)
    ledger.told('a', 2, 'ENGINE_PANIC', madeAt)
  })

  it('an interrupted call reports whose session was reset for it', () => {
    const ledger = new LossLedger()
    const reset = ledger.announce({ reasons: ['RESET'], mayHit: (id) => id === 'a' })
    ledger.lost('a', 2, 'RESET')
    reset.over()
    ledger.interrupted('a', 2)
    ledger.succeeded('a', 2)
    expect([ledger.injected, ledger.seen]).toEqual([1, 1])
  })

  it('was expected, but whose sandbox was closed or whose fault was cancelled', () => {
    const ledger = new LossLedger()
    ledger.announce({ reasons: ['CELL_EXITED'], victims: ['a'] })
    ledger.left('a')
    ledger.announce({ reasons: ['CELL_EXITED'], victims: ['b'] }).cancel()
    ledger.check(later())
    expect([ledger.injected, ledger.seen]).toEqual([0, 0])
  })

  it('the first of two faults caused', () => {
    const ledger = new LossLedger()
    ledger.announce({ reasons: ['CELL_EXITED'], victims: ['a'] })
    ledger.announce({ reasons: ['CELL_STALLED'], victims: ['a'] })
    ledger.lost('a', 2, 'CELL_EXITED')
    ledger.check(later())
    expect([ledger.injected, ledger.seen]).toEqual([1, 1])
  })

  it('is reported of a session that could not be opened', () => {
    const ledger = new LossLedger()
    ledger.announce({ reasons: ['CELL_EXITED'] }).over()
    ledger.refused('a')
    ledger.told('a', 2, 'CELL_EXITED', performance.now())
  })
})

describe('of a sandbox whose sessions go on', () => {
  const lossOfOneThatGoesOn = () => {
    const ledger = new LossLedger()
    ledger.goesOn('a')
    const madeAt = performance.now()
    ledger.announce({ reasons: ['WORKER_EXITED'], victims: ['a'] })
    ledger.lost('a', 2, 'WORKER_EXITED')
    return { ledger, madeAt }
  }

  it('the ledger accepts a loss that no call reports, or that a pending one does', () => {
    const { ledger, madeAt } = lossOfOneThatGoesOn()
    ledger.succeeded('a', 2)
    ledger.told('a', 2, 'WORKER_EXITED', madeAt)
    expect([ledger.keeps('a', 2), ledger.keeps('b', 2)]).toEqual([true, false])
  })

  it('the ledger throws a violation when a later call reports the loss', () => {
    const { ledger } = lossOfOneThatGoesOn()
    expect(() => ledger.told('a', 2, 'WORKER_EXITED', performance.now() + 1)).toThrow(
      'but its session goes on',
    )
  })

  it('a call may report that the session could not go on; then it may be a fresh one', () => {
    const { ledger } = lossOfOneThatGoesOn()
    ledger.refused('a')
    ledger.told('a', 2, 'WORKER_EXITED', performance.now() + 1)
    expect([ledger.takeUnsure('a'), ledger.takeUnsure('a')]).toEqual([true, false])
  })

  it('a loss may stay untold where no call had changed the session', () => {
    const ledger = lossOfA()
    ledger.goesOn('a', 'unchanged')
    ledger.succeeded('a', 2)
    ledger.told('a', 2, 'ENGINE_PANIC', performance.now())
    expect(ledger.keeps('a', 2)).toBe(false)
  })

  it('a reset ends it, and is to be reported', () => {
    const ledger = new LossLedger()
    ledger.goesOn('a')
    ledger.announce({ reasons: ['RESET'], victims: ['a'] })
    ledger.lost('a', 2, 'RESET')
    expect(ledger.keeps('a', 2)).toBe(false)
    expect(() => ledger.succeeded('a', 2)).toThrow('no call told that an earlier one was lost (RESET)')
  })
})

describe('the ledger throws a violation when', () => {
  it('a session is lost without a fault', () => {
    expect(() => new LossLedger().lost('a', 2, 'CELL_EXITED')).toThrow(
      'a was lost (CELL_EXITED), and no fault explains it',
    )
  })

  it('a session without a name is lost without a fault', () => {
    expect(() => new LossLedger().lost(undefined, 2, 'CELL_EXITED')).toThrow(
      'a sandbox without an id was lost',
    )
  })

  it('a session cannot be opened without a fault, or long after one', () => {
    const ledger = new LossLedger()
    expect(() => ledger.refused('a')).toThrow('a session of a could not be opened, and no fault explains it')
    ledger.announce({ reasons: ['CELL_EXITED'] }).over()
    expect(() => ledger.refused('a', later())).toThrow('could not be opened, and no fault explains it')
  })

  it('the loss has another cause than the fault', () => {
    const ledger = new LossLedger()
    ledger.announce({ reasons: ['CELL_STALLED'], victims: ['a'] })
    expect(() => ledger.lost('a', 2, 'CELL_EXITED')).toThrow('no fault explains it')
  })

  it('the fault is over', () => {
    const ledger = new LossLedger()
    ledger.announce({ reasons: ['WORKER_EXITED'], mayHit: () => true }).over()
    expect(() => ledger.lost('a', 2, 'WORKER_EXITED')).toThrow('no fault explains it')
  })

  it('one fault causes two losses of a sandbox', () => {
    const ledger = lossOfA()
    expect(() => ledger.lost('a', 3, 'ENGINE_PANIC')).toThrow('no fault explains it')
  })

  it('a host reports one loss twice', () => {
    const ledger = lossOfA()
    ledger.announce({ reasons: ['ENGINE_PANIC'], victims: ['a'] })
    expect(() => ledger.lost('a', 2, 'ENGINE_PANIC')).toThrow('told twice by its host')
  })

  it('a fault is not seen', () => {
    const ledger = new LossLedger()
    ledger.announce({ reasons: ['CELL_EXITED'], victims: ['a', 'b'] })
    ledger.lost('a', 2, 'CELL_EXITED')
    ledger.check()
    expect(() => ledger.check(later())).toThrow('the fault CELL_EXITED was not seen in 60 s by b')
  })

  it('a call reports a loss that its host did not report', () => {
    expect(() => new LossLedger().told('a', 2, 'CELL_EXITED', 0)).toThrow('but its host did not tell of it')
  })

  it('a call reports another cause than its host', () => {
    expect(() => lossOfA().told('a', 2, 'CELL_EXITED', 0)).toThrow('but its host did not tell of it')
  })

  it('a later call reports the same loss again', () => {
    const ledger = lossOfA()
    ledger.told('a', 2, 'ENGINE_PANIC', performance.now())
    expect(() => ledger.told('a', 2, 'ENGINE_PANIC', performance.now() + 1)).toThrow(
      'but an earlier call has told of it',
    )
  })

  it('a call succeeds in a new session before any call reported the loss', () => {
    expect(() => lossOfA().succeeded('a', 2)).toThrow(
      'no call told that an earlier one was lost (ENGINE_PANIC)',
    )
  })
})
