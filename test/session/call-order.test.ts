import { expect, it } from 'vitest'
import { CallOrder } from '../../src/session/call-order.ts'

it('lets calls come one at a time, in their order; those that give up are passed over', async () => {
  const order = new CallOrder()
  const begun: number[] = []
  const calls = [0, 1, 2, 3].map((number) => {
    const { begins, leave } = order.enter()
    void begins.then(() => begun.push(number))
    return leave
  })
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  await settled()
  expect(begun).toEqual([0])
  calls[1]?.()
  calls[1]?.()
  await settled()
  expect(begun).toEqual([0])
  calls[0]?.()
  await settled()
  expect(begun).toEqual([0, 2])
  calls[2]?.()
  calls[3]?.()
  await settled()
  expect(begun).toEqual([0, 2, 3])
  await order.enter().begins
})
