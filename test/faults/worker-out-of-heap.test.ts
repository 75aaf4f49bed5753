import { afterAll, beforeAll } from 'vitest'
import { isFull } from '../support/tier.ts'
import { describeLoss } from './loss-cases.ts'
import { smallHeaps } from './matrix/small-heaps.ts'

// Filling the heap that workers have otherwise takes gigabytes.
let largeHeaps: (() => void) | undefined
beforeAll(() => {
  if (!isFull) largeHeaps = smallHeaps()
})
afterAll(() => largeHeaps?.())

describeLoss({
  title: 'runs out of heap',
  cause: 'HEAP_EXHAUSTED',
  open: 'heap',
  call: 'fault heap',
  idle: 'fault heap-idle',
  closing: 'fault heap',
  closeMode: 'close-heap',
  brief: true,
})
