import { isFull } from '../support/tier.ts'
import { describeLoss } from './loss-cases.ts'

describeLoss({
  title: 'is terminated from outside',
  cause: 'WORKER_EXITED',
  open: 'hang',
  call: 'fault hang',
  idle: 'fault slow',
  closing: 'fault hang',
  closeMode: 'silence',
  strike: (worker) => void worker.terminate(),
  brief: !isFull,
})
