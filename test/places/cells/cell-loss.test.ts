import { describe, expect, it } from 'vitest'
import { lossOfDeath } from '../../../src/places/cells/cell-loss.ts'

describe('a cell that could not be started', () => {
  it.each([
    ['EMFILE', 'WORKER_FAILED', /^The cell could not be started: spawn \/bin\/sh EMFILE\. .*ulimit -n/],
    ['EAGAIN', 'WORKER_FAILED', /^The cell could not be started: spawn \/bin\/sh EAGAIN\. .*ulimit -u/],
    ['ENOENT', 'CELL_EXITED', /^The cell could not be started: spawn \/bin\/sh ENOENT$/],
  ])('for %s is lost with %s', (code, loss, message) => {
    const failure = Object.assign(new Error(`spawn /bin/sh ${code}`), { code, syscall: 'spawn /bin/sh' })
    expect(lossOfDeath({ code: null, signal: null, failure })).toEqual({
      code: loss,
      message: expect.stringMatching(message),
    })
  })
})
