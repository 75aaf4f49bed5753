import { describe, expect, it } from 'vitest'
import { LossBook } from '../../soak/losses.ts'

const later = () => performance.now() + 61_000

/** A book in which the session of `a` was lost to a fault, as its host told. */
function lossOfA(): LossBook {
  const book = new LossBook()
  book.strike({ reasons: ['ENGINE_PANIC'], victims: ['a'] })
  book.lost('a', 2, 'ENGINE_PANIC')
  return book
}

describe('a loss is in order that', () => {
  it('a fault explains, its host tells of, and one call tells before the next succeeds', () => {
    const book = lossOfA()
    book.told('a', 2, 'ENGINE_PANIC', performance.now())
    book.succeeded('a', 2)
    book.check(later())
    expect([book.injected, book.seen]).toEqual([1, 1])
  })

  it('several calls tell that were pending together', () => {
    const madeAt = performance.now()
    const book = lossOfA()
    book.told('a', 2, 'ENGINE_PANIC', madeAt)
    book.told('a', 2, 'ENGINE_PANIC', madeAt)
  })

  it('an interrupted call tells whose session was reset for it', () => {
    const book = new LossBook()
    const reset = book.strike({ reasons: ['RESET'], mayHit: (id) => id === 'a' })
    book.lost('a', 2, 'RESET')
    reset.over()
    book.interrupted('a', 2)
    book.succeeded('a', 2)
    expect([book.injected, book.seen]).toEqual([1, 1])
  })

  it('was to come, but whose sandbox was closed, or whose fault was called off', () => {
    const book = new LossBook()
    book.strike({ reasons: ['CELL_EXITED'], victims: ['a'] })
    book.left('a')
    book.strike({ reasons: ['CELL_EXITED'], victims: ['b'] }).cancel()
    book.check(later())
    expect([book.injected, book.seen]).toEqual([0, 0])
  })

  it('the first of two faults has brought about', () => {
    const book = new LossBook()
    book.strike({ reasons: ['CELL_EXITED'], victims: ['a'] })
    book.strike({ reasons: ['CELL_STALLED'], victims: ['a'] })
    book.lost('a', 2, 'CELL_EXITED')
    book.check(later())
    expect([book.injected, book.seen]).toEqual([1, 1])
  })

  it('is told of a session that could not be opened', () => {
    const book = new LossBook()
    book.strike({ reasons: ['CELL_EXITED'] }).over()
    book.refused('a')
    book.told('a', 2, 'CELL_EXITED', performance.now())
  })
})

describe('it is a violation when', () => {
  it('a session is lost without a fault', () => {
    expect(() => new LossBook().lost('a', 2, 'CELL_EXITED')).toThrow(
      'a was lost (CELL_EXITED), and no fault explains it',
    )
  })

  it('a session without a name is lost without a fault', () => {
    expect(() => new LossBook().lost(undefined, 2, 'CELL_EXITED')).toThrow('a sandbox without an id was lost')
  })

  it('a session cannot be opened without a fault, or long after one', () => {
    const book = new LossBook()
    expect(() => book.refused('a')).toThrow('a session of a could not be opened, and no fault explains it')
    book.strike({ reasons: ['CELL_EXITED'] }).over()
    expect(() => book.refused('a', later())).toThrow('could not be opened, and no fault explains it')
  })

  it('the loss has another cause than the fault', () => {
    const book = new LossBook()
    book.strike({ reasons: ['CELL_STALLED'], victims: ['a'] })
    expect(() => book.lost('a', 2, 'CELL_EXITED')).toThrow('no fault explains it')
  })

  it('the fault is over', () => {
    const book = new LossBook()
    book.strike({ reasons: ['WORKER_EXITED'], mayHit: () => true }).over()
    expect(() => book.lost('a', 2, 'WORKER_EXITED')).toThrow('no fault explains it')
  })

  it('one fault brings about two losses of a sandbox', () => {
    const book = lossOfA()
    expect(() => book.lost('a', 3, 'ENGINE_PANIC')).toThrow('no fault explains it')
  })

  it('a host tells one loss twice', () => {
    const book = lossOfA()
    book.strike({ reasons: ['ENGINE_PANIC'], victims: ['a'] })
    expect(() => book.lost('a', 2, 'ENGINE_PANIC')).toThrow('told twice by its host')
  })

  it('a fault is not seen', () => {
    const book = new LossBook()
    book.strike({ reasons: ['CELL_EXITED'], victims: ['a', 'b'] })
    book.lost('a', 2, 'CELL_EXITED')
    book.check()
    expect(() => book.check(later())).toThrow('the fault CELL_EXITED was not seen in 60 s by b')
  })

  it('a call tells of a loss that its host does not know', () => {
    expect(() => new LossBook().told('a', 2, 'CELL_EXITED', 0)).toThrow('but its host did not tell of it')
  })

  it('a call tells of another cause than its host', () => {
    expect(() => lossOfA().told('a', 2, 'CELL_EXITED', 0)).toThrow('but its host did not tell of it')
  })

  it('a later call tells the same loss again', () => {
    const book = lossOfA()
    book.told('a', 2, 'ENGINE_PANIC', performance.now())
    expect(() => book.told('a', 2, 'ENGINE_PANIC', performance.now() + 1)).toThrow(
      'but an earlier call has told of it',
    )
  })

  it('a call succeeds in a fresh session, and none has told of the loss', () => {
    expect(() => lossOfA().succeeded('a', 2)).toThrow(
      'no call told that an earlier one was lost (ENGINE_PANIC)',
    )
  })
})
