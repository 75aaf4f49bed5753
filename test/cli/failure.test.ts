import { expect, test } from 'vitest'
import { CliError, describeFailure, exitCodeOf } from '../../src/cli/failure.ts'
import {
  SandboxClosedError,
  SandboxConfigError,
  SessionLoss,
  WorkerLostError,
} from '../../src/sandbox/errors.ts'

const lost = (code: SessionLoss['code']) =>
  new WorkerLostError('Lost.', { cause: new SessionLoss(code, 'why') })

test.each([
  [new CliError('x', 77), 77],
  [new SandboxConfigError('x', { field: 'timeout' }), 2],
  [new SandboxConfigError('x', { field: 'workerUrl' }), 125],
  [lost('DEADLINE_IGNORED'), 124],
  [lost('WORKER_EXITED'), 125],
  [new SandboxClosedError('x'), 125],
  [new TypeError('x'), 125],
  ['not an error', 125],
])('%o exits with %i', (error, code) => {
  expect(exitCodeOf(error)).toBe(code)
})

test('a failure is one line, whatever its message', () => {
  const error = new SandboxConfigError('Two problems:\n- first one.\n- second one.', { field: 'binds' })
  expect(describeFailure(error, false)).toBe('strands-shell-runtime: Two problems: first one; second one.\n')
})

test('the stack and the causes follow where they are asked for', () => {
  const text = describeFailure(lost('WORKER_EXITED'), true)
  expect(text).toMatch(/^strands-shell-runtime: Lost\.\nWorkerLostError: Lost\.\n +at /)
  expect(text).toContain('[cause]: SessionLoss: why')
})

test('an unexpected failure says how to learn more, and what to report', () => {
  expect(describeFailure(new TypeError('odd'), false)).toBe(
    'strands-shell-runtime: unexpected failure: odd (DEBUG=1 shows the stack). Please report it to strands-shell-runtime, with what the sandbox was given and the output of `npx strands-shell-runtime doctor --json`.\n',
  )
})
