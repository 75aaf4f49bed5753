import { expect, it } from 'vitest'
import { errorDataOf } from '../../../src/places/cells/inside/error-data.ts'
import { isErrorData } from '../../../src/sandbox/error-schema.ts'
import {
  EngineUnavailableError,
  MirrorError,
  ProtocolError,
  SandboxConfigError,
  SandboxIoError,
  SandboxLimitError,
  SandboxPathNotFoundError,
  SandboxPermissionError,
  UnsupportedError,
} from '../../../src/sandbox/errors.ts'
import { lossError } from '../../../src/sandbox/loss-error.ts'
import { openingError } from '../../../src/sandbox/opening-error.ts'
import { rebuildError } from '../../../src/sandbox/rebuild-error.ts'

const cause = new Error('what the engine said')

/** What a host makes of an error that a cell met. */
const crossed = (error: unknown) => {
  const data: unknown = structuredClone(errorDataOf(error))
  if (!isErrorData(data)) throw new Error('not of the contract')
  return rebuildError(data)
}

it.each([
  new SandboxConfigError('no such field', { field: 'binds[0]' }),
  new SandboxIoError('cannot read', { path: '/a', cause }),
  new SandboxPathNotFoundError('no such directory', { path: '/a' }),
  new SandboxPermissionError('denied', { path: '/a', cause }),
  new SandboxLimitError('too many', { limit: 'limits.maxInodes', value: 7 }),
  new MirrorError('not all', { written: ['/a'], pending: [{ path: '/b', reason: 'EIO' }], cause }),
  new EngineUnavailableError('no engine'),
  new UnsupportedError('not here'),
  lossError({ code: 'WORKER_FAILED', message: 'the worker threw' }),
  lossError({ code: 'HEAP_EXHAUSTED', message: 'no heap' }, 'It was lost.'),
])('an error with which an opening fails in a cell keeps its class and its facts: $name', (error) => {
  const rebuilt = crossed(error)
  expect(rebuilt).toStrictEqual(error)
  expect(rebuilt.cause).toStrictEqual(error.cause)
})

it('what breaks the contract is a session that the protocol has cost', () => {
  expect(crossed(new ProtocolError('odd'))).toMatchObject({
    code: 'WORKER_LOST',
    cause: { code: 'PROTOCOL' },
  })
})

it('of many paths that were not written the first ones cross', () => {
  const pending = Array.from({ length: 10_000 }, (_, index) => ({ path: `/${index}`, reason: 'EIO' }))
  expect(crossed(new MirrorError('not all', { written: [], pending }))).toMatchObject({
    pending: pending.slice(0, 20),
  })
})

it.each([
  ['a system error', Object.assign(new Error('EMFILE: too many open files, open /x'), { code: 'EMFILE' })],
  ['no memory', new RangeError('Array buffer allocation failed')],
  ['a process that cannot be started', Object.assign(new Error('spawn EAGAIN'), { syscall: 'spawn' })],
  ['anything', 'a text'],
])('%s becomes an error of this package', (_, thrown) => {
  for (const error of [openingError(thrown), crossed(thrown)]) {
    expect(error).toMatchObject({ code: 'WORKER_LOST', cause: { code: 'WORKER_FAILED' } })
    expect(error.message).toContain(thrown instanceof Error ? thrown.message : thrown)
  }
})

it('an error for want of something says what to do, and does not ask for a report', () => {
  const { message } = openingError(
    Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' }),
  )
  expect(message).toMatch(/ulimit -n/)
  expect(message).not.toMatch(/report/)
})
