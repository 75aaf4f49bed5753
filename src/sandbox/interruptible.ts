import { watchSignal } from './watch-signal.ts'

/** What may cut a wait short, and what comes of it. */
export interface Interruption<T> {
  /** Seconds; undefined waits without limit. */
  readonly seconds?: number | undefined
  readonly signal?: AbortSignal | undefined
  readonly onTimeout: () => Error
  readonly onAbort: (reason: unknown) => Error
  /** What to do with a value that came after the wait was over. */
  readonly onLate?: (value: T) => void
}

/** Waits for a promise until a time has passed or a signal fires; neither leaves a timer or listener behind. */
export function interruptible<T>(promise: Promise<T>, interruption: Interruption<T>): Promise<T> {
  const { seconds, signal, onTimeout, onAbort, onLate } = interruption
  return new Promise((resolve, reject) => {
    let over = false
    let unwatch: (() => void) | undefined
    const finish = (): boolean => {
      if (over) return false
      over = true
      clearTimeout(timer)
      unwatch?.()
      return true
    }
    const timer =
      seconds === undefined ? undefined : setTimeout(() => finish() && reject(onTimeout()), seconds * 1000)
    unwatch = signal && watchSignal(signal, () => finish() && reject(onAbort(signal.reason)))
    promise.then(
      (value) => (finish() ? resolve(value) : onLate?.(value)),
      (error: unknown) => {
        if (finish()) reject(error)
      },
    )
  })
}
