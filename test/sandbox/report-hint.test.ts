import { expect, it } from 'vitest'
import type { LossCode } from '../../src/contract/errors.ts'
import { errorDataOf } from '../../src/places/cells/inside/error-data.ts'
import { lossError } from '../../src/sandbox/loss-error.ts'
import { rebuildError } from '../../src/sandbox/rebuild-error.ts'
import { reportable } from '../../src/sandbox/report-hint.ts'

const hint = /\. Please report it .* `npx strands-shell-runtime doctor --json`\.$/

const causeOf = (code: LossCode) => lossError({ code, message: 'the engine panicked' }).cause

it.each(['ENGINE_PANIC', 'PROTOCOL'] as const)('a session lost by %s has a report hint', (code) => {
  expect(causeOf(code)).toMatchObject({ code, message: expect.stringMatching(hint) })
})

it.each(['WORKER_EXITED', 'RESET', 'CELL_MEMORY'] as const)(
  'a session lost by %s has no report hint',
  (code) => {
    expect(causeOf(code)).toMatchObject({ code, message: 'the engine panicked' })
  },
)

it('tells a model how the session was lost, without the report hint', () => {
  const { message } = lossError({ code: 'ENGINE_PANIC', message: 'the engine panicked' })
  expect(message).toBe('The session was lost: the engine panicked')
})

it('appears once, however many boundaries the error crosses', () => {
  const told = rebuildError(errorDataOf(lossError({ code: 'ENGINE_PANIC', message: 'the engine panicked' })))
  expect(told.cause).toEqual(causeOf('ENGINE_PANIC'))
  expect(reportable(reportable('It broke'))).toBe(reportable('It broke'))
})
