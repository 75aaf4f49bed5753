import { clearTimeout, setTimeout } from './clock.ts'
import { watchSignal } from './watch-signal.ts'

/** What may cut a wait short, and what comes of it. */
export interface Interruption {
  /** Seconds; undefined waits without limit. */
  readonly seconds?: number | undefined
  readonly signal?: AbortSignal | undefined
  /** The error where the time has passed. */
  readonly onTimeout?: () => Error
  /** The error where the signal fired. */
  readonly onAbort?: () => Error
}

/** Waits for a promise until a time has passed or a signal fires; neither leaves a timer or listener behind. */
export function interruptible<T>(promise: Promise<T>, interruption: Interruption): Promise<T> {
  const { seconds, signal, onTimeout, onAbort } = interruption
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined
    let unwatch: (() => void) | undefined
    const finish = () => {
      clearTimeout(timer)
      unwatch?.()
    }
    const cut = (error: Error | undefined) => {
      finish()
      reject(error)
    }
    if (seconds !== undefined) timer = setTimeout(() => cut(onTimeout?.()), seconds * 1000)
    if (signal !== undefined) unwatch = watchSignal(signal, () => cut(onAbort?.()))
    promise.finally(finish).then(resolve, reject)
  })
}
