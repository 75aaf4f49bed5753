/**
 * What tests have in the place of `src/async/clock.ts`: the global timers and clock of the moment, which they replace.
 * `test/faults/fake-timers.test.ts` has the real one.
 */
export const clearInterval: typeof globalThis.clearInterval = (id) => globalThis.clearInterval(id)
export const clearTimeout: typeof globalThis.clearTimeout = (id) => globalThis.clearTimeout(id)
export const queueMicrotask: typeof globalThis.queueMicrotask = (act) => globalThis.queueMicrotask(act)
export const setImmediate = (act: () => void) => globalThis.setImmediate(act)
export const setInterval = (act: () => void, milliseconds?: number) =>
  globalThis.setInterval(act, milliseconds)
export const setTimeout = (act: () => void, milliseconds?: number) => globalThis.setTimeout(act, milliseconds)
export const nextTick = (act: () => void) => process.nextTick(act)
export const performance = { now: () => globalThis.performance.now() }
export { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
