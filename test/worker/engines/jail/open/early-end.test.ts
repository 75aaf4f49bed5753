import { describe, expect, it } from 'vitest'
import { earlyEnd } from '../../../../../worker/engines/jail/open/early-end.ts'

describe('a jail that ends before it has begun', () => {
  it.each([
    ['a signal', '', undefined, 'was ended with SIGKILL', 'WORKER_LOST', 'WORKER_EXITED'],
    ['a signal to what it runs', '', 137, 'ended with status 137', 'WORKER_LOST', 'WORKER_EXITED'],
    ['a refused mount', "bwrap: Can't find /x", 1, 'ended with status 1', 'INVALID_CONFIG', undefined],
  ])('tells %s as what it is', (_, said, status, how, code, loss) => {
    const { data } = earlyEnd({ said, status }, how)
    const message = `The jail could not begin: bubblewrap ${how}. ${said || 'It said nothing.'}`
    expect([data.code, data.loss?.code, data.message]).toEqual([code, loss, message])
  })

  it('tells a want of processes, and what to do about it', () => {
    const { data } = earlyEnd({ said: '', status: undefined }, 'spawn bwrap EAGAIN')
    expect(data).toMatchObject({ code: 'WORKER_LOST', loss: { code: 'WORKER_FAILED' } })
    expect(data.message).toMatch(/^The shell could not be started: spawn bwrap EAGAIN\. .*ulimit -u/)
  })
})
