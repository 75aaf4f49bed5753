import { describe, expect, it } from 'vitest'
import { interruptible } from '../../src/async/interruptible.ts'
import { watchSignal } from '../../src/async/watch-signal.ts'

describe('watchSignal', () => {
  it('calls every listener once when the signal is aborted', () => {
    const controller = new AbortController()
    const calls: string[] = []
    watchSignal(controller.signal, () => calls.push('first'))
    watchSignal(controller.signal, () => calls.push('second'))

    controller.abort()

    expect(calls).toEqual(['first', 'second'])
  })

  it('calls a later listener after an earlier watch was stopped twice', () => {
    const controller = new AbortController()
    const calls: string[] = []
    const stop = watchSignal(controller.signal, () => calls.push('stopped'))
    stop()
    watchSignal(controller.signal, () => calls.push('later'))
    stop()

    controller.abort()

    expect(calls).toEqual(['later'])
  })
})

describe('interruptible', () => {
  it('rejects a wait on a signal after an earlier wait on it has timed out and its promise has settled', async () => {
    const { signal, abort } = aborter()
    let settle: (() => void) | undefined
    const slow = new Promise<void>((resolve) => {
      settle = resolve
    })
    const timedOut = interruptible(slow, { seconds: 0.001, signal, onTimeout: () => new Error('too late') })
    await expect(timedOut).rejects.toThrow('too late')

    const never = new Promise<void>(() => undefined)
    const waiting = interruptible(never, { signal, onAbort: () => new Error('aborted') })
    settle?.()
    await new Promise((resolve) => setImmediate(resolve))
    abort()

    await expect(waiting).rejects.toThrow('aborted')
  })
})

function aborter(): { readonly signal: AbortSignal; readonly abort: () => void } {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort() }
}
