import timers from 'node:timers/promises'

/**
 * The timers and the clock as they were when this was loaded. A test runner that replaces the global ones does not stop what
 * supervises sessions: code of this package takes them from here.
 */
export const { clearInterval, clearTimeout, queueMicrotask, setImmediate, setInterval, setTimeout } =
  globalThis

/** Resolve after some milliseconds, and in the next turn. A runner replaces those of the module too. */
export const { setImmediate: nextTurn, setTimeout: sleep } = timers

/** `process.nextTick`. Importing `node:process` would open the standard streams. */
export const { nextTick } = process

/** A monotonic clock. */
export const performance: { readonly now: () => number } = {
  now: globalThis.performance.now.bind(globalThis.performance),
}
