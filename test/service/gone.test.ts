import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { Gone } from '../../src/service/gone.ts'

const response = () => new ServerResponse(new IncomingMessage(new Socket()))

test('a client that is gone is told to those who watch, before and after', () => {
  const gone = new Gone(response())
  let told = 0
  const unwatch = gone.watch(() => {
    throw new Error('It was stopped.')
  })
  unwatch()
  gone.watch(() => (told += 1))
  const { signal } = gone
  expect(signal.aborted).toBe(false)
  gone.over()
  gone.watch(() => (told += 1))
  expect([told, signal.aborted, gone.signal.aborted]).toEqual([2, true, true])
})

test('a client that has its answer is not gone', () => {
  const answered = response()
  Object.defineProperty(answered, 'writableFinished', { value: true })
  const gone = new Gone(answered)
  gone.watch(() => {
    throw new Error('It is not gone.')
  })
  gone.over()
  expect(gone.signal.aborted).toBe(false)
})
