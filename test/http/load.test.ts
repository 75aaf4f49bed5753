import { expect, test } from 'vitest'
import { ServerLoad } from '../../src/http/load.ts'

const bounds = { maxPendingRequests: 3, maxPendingBytes: 100, maxSessionBytes: 60 }
const refused = (status: number) => expect.objectContaining({ status, headers: { 'retry-after': '1' } })

test('a session has so many requests without an answer, messages of a batch among them', () => {
  const session = new ServerLoad(bounds).ofSession()
  const batch = session.begin()
  batch.add({ requests: 2 })
  expect(() => session.begin()).toThrow(refused(429))
  batch.end()
  batch.end()
  for (let i = 0; i < 3; i++) session.begin()
  expect(() => session.begin()).toThrow(refused(429))
})

test('a request that was refused holds what it held before', () => {
  const session = new ServerLoad(bounds).ofSession()
  const request = session.begin()
  request.add({ bytes: 60 })
  expect(() => request.add({ bytes: 1 })).toThrow(refused(429))
  expect(() => request.add({ requests: 3 })).toThrow(refused(429))
  request.end()
  session.begin().add({ bytes: 60 })
})

test('more than a session may ever have is refused for good', () => {
  const request = new ServerLoad(bounds).ofSession().begin()
  expect(() => request.add({ bytes: 61 })).toThrow(expect.objectContaining({ status: 413 }))
})

test('all sessions have so many bytes together', () => {
  const server = new ServerLoad(bounds)
  const [first, second] = [server.ofSession().begin(), server.ofSession().begin()]
  first.add({ bytes: 60 })
  second.add({ bytes: 40 })
  expect(() => second.add({ bytes: 1 })).toThrow(refused(503))
  first.end()
  second.add({ bytes: 20 })
})
