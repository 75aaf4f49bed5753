import { describeLoss } from './loss-cases.ts'

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
