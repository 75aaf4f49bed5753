import { expect, test } from 'vitest'
import { problemOf, problemSchema } from '../../src/protocol/problem.ts'
import { problemOfError } from '../../src/protocol/problem-of-error.ts'
import { errorOfProblem, problemIn } from '../../src/remote/error-of-problem.ts'
import * as errors from '../../src/sandbox/errors.ts'
import type { KnownSandboxError } from '../../src/sandbox/known-error.ts'
import { saturation } from '../support/saturation.ts'

const output = { stdout: 'out', stderr: 'err' }
const cause = new errors.SessionLoss('CELL_EXITED', 'it ended')

const all: readonly KnownSandboxError[] = [
  new errors.SandboxTimeoutError('late', { output }),
  new errors.SandboxAbortError('aborted', { output }),
  new errors.SandboxConnectionError('gone', { output, started: true }),
  new errors.SandboxPathNotFoundError('none', { path: '/a' }),
  new errors.SandboxPermissionError('denied', { path: '/a' }),
  new errors.SandboxIoError('failed', { path: '/a' }),
  new errors.MirrorError('pending', {
    written: ['/a'],
    pending: [{ path: '/b', reason: 'why' }],
    output: { ...output, exitCode: 3 },
  }),
  new errors.SandboxLimitError('much', { limit: 'limits.maxFileSize', value: 7 }),
  new errors.SandboxConfigError('wrong', { field: 'binds[0]' }),
  new errors.SandboxClosedError('closed'),
  new errors.WorkerLostError('lost', { cause }),
  new errors.MemoryLimitError('full', { cause: new errors.SessionLoss('CELL_MEMORY', 'memory') }),
  new errors.UnsupportedError('cannot'),
  new errors.EngineUnavailableError('no engine'),
  new errors.ProtocolError('odd'),
  new errors.SnapshotError('bad', { fault: 'version' }),
  new errors.StaleFenceError('stale', { fence: 1, seen: 2 }),
]

test.each(all.map((error) => [error.code, error] as const))(
  'an error %s is the same behind a service: class, message and fields',
  (code, error) => {
    const problem = problemIn(Buffer.from(JSON.stringify(problemOfError(error))))
    expect(problem).toMatchObject({ code, type: `urn:strands-shell-runtime:${code}` })
    const rebuilt = problem && errorOfProblem(problem)
    expect(rebuilt).toBeInstanceOf(error.constructor)
    expect({ ...rebuilt }).toEqual({ ...error })
    expect(rebuilt?.message).toBe(error.message)
  },
)

test('a full host is told with its figures', () => {
  const error = new errors.HostSaturatedError('full', { saturation })
  const rebuilt = errorOfProblem(problemOfError(error))
  expect(rebuilt).toMatchObject({ code: 'HOST_SATURATED', saturation: { ...saturation, reached: [] } })
})

test('what a service refuses by itself has run, or has not, as the code says', () => {
  const startedOf = (code: Parameters<typeof problemOf>[0]) => {
    const error = errorOfProblem(problemOf(code, 'why'))
    return error instanceof errors.SandboxConnectionError ? error.started : error.code
  }
  expect(startedOf('UNAUTHORIZED')).toBe(false)
  expect(startedOf('TOO_MANY_REQUESTS')).toBe(false)
  expect(startedOf('RESULT_GONE')).toBe(true)
  expect(startedOf('OTHER_INSTANCE')).toBe(true)
  expect(startedOf('NOT_FOUND')).toBe('CLOSED')
  expect(startedOf('CONFLICT')).toBe('INVALID_CONFIG')
})

test('a code that nobody knows, and fields of other shapes, are an error of the package still', () => {
  const odd = { ...problemOf('TIMEOUT', 'x'), code: '__proto__' }
  expect(errorOfProblem(odd).code).toBe('CONNECTION_FAILED')
  for (const { code } of all) {
    const fields = { path: 1, field: {}, limit: [], loss: 'x', pending: [null], fault: 7, saturation: 0 }
    expect(errorOfProblem(problemOf(code, 'x', fields)).code).toBe(code)
  }
  expect(problemIn(Buffer.from('<html>'))).toBeUndefined()
  expect(problemSchema.type).toBe('loose_object')
})
