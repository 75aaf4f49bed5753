import { expect, test } from 'vitest'
import { INSTANCE_HEADER } from '../../src/protocol/headers.ts'
import { problemOf } from '../../src/protocol/problem.ts'
import { Connection, LostConnection } from '../../src/remote/connection.ts'
import { errorOfProblem } from '../../src/remote/error-of-problem.ts'
import { Attempts } from '../../src/remote/remote-calls.ts'

test('a call that was lost is for the process that it was sent to, not for the one that answered last', async () => {
  let instance = 'first'
  const attempts = new Attempts({ method: 'POST', path: '/' }, 30, {
    connection: new Connection(new URL('http://127.0.0.1:1'), 'a-token'),
    instance: () => instance,
    answered: () => undefined,
  })
  expect(attempts.headers()).not.toHaveProperty(INSTANCE_HEADER)
  instance = 'second'
  await attempts.lost(new LostConnection(new Error('cut'), true))
  expect(attempts.headers()).toMatchObject({ [INSTANCE_HEADER]: 'first' })
})

test('a refusal of a call that may have begun says that it may have run', () => {
  const problem = problemOf('UNAVAILABLE', 'The service is about to stop.')
  expect(errorOfProblem(problem)).toMatchObject({ code: 'CONNECTION_FAILED', started: false })
  expect(errorOfProblem(problem, true)).toMatchObject({ code: 'CONNECTION_FAILED', started: true })
})
