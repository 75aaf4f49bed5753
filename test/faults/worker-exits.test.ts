import { isFull } from '../support/tier.ts'
import { describeLoss } from './loss-cases.ts'

describeLoss({
  title: 'exits',
  cause: 'WORKER_EXITED',
  open: 'exit',
  call: 'fault exit',
  idle: 'fault exit-idle',
  closing: 'fault exit-later',
  closeMode: 'close-exit',
  brief: !isFull,
})
