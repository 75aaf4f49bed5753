import { expect, it, vi } from 'vitest'
import { strandsEngine } from '../../src/engines/strands/strands-engine.ts'
import { OpenRequest } from '../../src/places/open-request.ts'
import { SandboxClosedError } from '../../src/sandbox/errors.ts'

const request = () => new OpenRequest(strandsEngine, strandsEngine.blank)

it('is not cancelled at first', () => {
  const opening = request()
  const { signal, withdrawn, queued, engine } = opening
  expect([signal.aborted, withdrawn, queued, engine, opening.record]).toEqual([
    false,
    false,
    false,
    strandsEngine,
    strandsEngine.blank,
  ])
  expect(() => opening.throwIfCancelled()).not.toThrow()
})

it('fires its signal with the reason when the opening failed, and is not withdrawn', async () => {
  const opening = request()
  const cancelled = opening.cancelled()
  const reason = new Error('it failed')
  opening.cancel(reason)
  await expect(cancelled).rejects.toBe(reason)
  expect([opening.signal.reason, opening.withdrawn]).toEqual([reason, false])
  expect(() => opening.throwIfCancelled()).toThrow(reason)
})

it('fires its signal with CLOSED when it is withdrawn', async () => {
  const opening = request()
  opening.withdraw()
  const closed = new SandboxClosedError('The sandbox was closed while it opened.')
  expect([opening.withdrawn, opening.signal.reason]).toEqual([true, closed])
  await expect(opening.cancelled()).rejects.toBe(opening.signal.reason)
})

it('keeps its first reason', () => {
  const failed = request()
  const reason = new Error('it failed')
  failed.cancel(reason)
  failed.withdraw()
  failed.cancel(new Error('later'))
  expect([failed.signal.reason, failed.withdrawn]).toEqual([reason, false])
  const withdrawn = request()
  withdrawn.withdraw()
  withdrawn.cancel(reason)
  expect([withdrawn.signal.reason, withdrawn.withdrawn]).toEqual([expect.any(SandboxClosedError), true])
})

it('calls each listener once: when the signal fires, or at once if it has fired', () => {
  const opening = request()
  const [early, late] = [vi.fn(), vi.fn()]
  opening.onCancel(early)
  expect(early).not.toHaveBeenCalled()
  opening.withdraw()
  opening.onCancel(late)
  opening.cancel(new Error('later'))
  expect([early, late].map(({ mock }) => mock.calls.length)).toEqual([1, 1])
})

it('leaves the queue where it waits in one, and goes on where it does not', () => {
  const opening = request()
  expect([opening.leaveQueue(), opening.withdrawn]).toEqual([false, false])
  opening.queued = true
  expect([opening.leaveQueue(), opening.withdrawn]).toEqual([true, true])
})
