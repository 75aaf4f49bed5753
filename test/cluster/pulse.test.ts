import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Pulse } from '../../src/cluster/pulse.ts'
import { Connection } from '../../src/remote/connection.ts'

/** Milliseconds that a node may be silent. */
const silence = 5000
let now = 0

beforeEach(() => {
  now = 0
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  vi.spyOn(performance, 'now').mockImplementation(() => now)
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** A pulse of a node that does not say that it is there. */
function pulseOfSilent(): Pulse {
  const connection = new Connection(new URL('http://node.invalid'), 'a-token')
  vi.spyOn(connection, 'send').mockReturnValue(new Promise(() => undefined))
  return new Pulse(connection, silence)
}

/** Time passes, and this process looks on. */
function pass(milliseconds: number): void {
  for (let passed = 0; passed < milliseconds; passed += 100) {
    now += 100
    vi.advanceTimersByTime(100)
  }
}

test('a node that answers nothing is taken for lost, once', () => {
  const onSilent = vi.fn()
  pulseOfSilent().watch(onSilent)
  pass(silence - 100)
  expect(onSilent).not.toHaveBeenCalled()
  pass(silence * 3)
  expect(onSilent).toHaveBeenCalledOnce()
})

test('a node that answers other calls is there', () => {
  const [pulse, onSilent] = [pulseOfSilent(), vi.fn()]
  pulse.watch(onSilent)
  for (let answers = 0; answers < 5; answers += 1) {
    pass(silence - 1000)
    pulse.heard()
  }
  expect(onSilent).not.toHaveBeenCalled()
  pass(silence * 2)
  expect(onSilent).toHaveBeenCalledOnce()
})

test('while this process stands still it hears nobody: that time does not count', () => {
  const onSilent = vi.fn()
  pulseOfSilent().watch(onSilent)
  now += 60_000
  vi.advanceTimersByTime(500)
  expect(onSilent).not.toHaveBeenCalled()
  pass(silence)
  expect(onSilent).toHaveBeenCalledOnce()
})
