import { callerContext } from '../async/caller-context.ts'
import { watchSignal } from '../async/watch-signal.ts'
import { Watchdog } from '../async/watchdog.ts'
import { abortError } from '../sandbox/abort-error.ts'
import type { SandboxError } from '../sandbox/errors.ts'
import type { CallLimits } from './call-limits.ts'
import type { CallInFlight } from './calls-in-flight.ts'
import type { LeaseCalls } from './lease-calls.ts'
import type { Operation } from './operations.ts'
import { timeoutError } from './timeout-error.ts'

/**
 * A shell in another thread whose every awaited call settles: with a reply of the right shape, when its caller's timeout
 * or signal says so, or when the session ends.
 */
export class Remote {
  readonly #calls: LeaseCalls

  constructor(calls: LeaseCalls) {
    this.#calls = calls
  }

  /** Makes a call; calls run in the order in which they are made. */
  call<T>(operation: Operation<T>, { timeout, signal, isBackground = false }: CallLimits = {}): Promise<T> {
    const { connection, inFlight, outbox, supervision } = this.#calls
    const { output } = operation
    return new Promise((resolve, reject) => {
      const refusal = this.#calls.refusal(signal)
      if (refusal !== undefined) {
        reject(refusal)
        return
      }
      let deadline: Watchdog | undefined
      let unwatch: (() => void) | undefined
      let waiting = true
      const settle = (): boolean => {
        if (!waiting) return false
        waiting = false
        deadline?.stop()
        unwatch?.()
        if (output !== undefined) this.#calls.unlisten(id)
        if (!isBackground) connection.settled()
        return true
      }
      const fail = (error: SandboxError): boolean => {
        if (!settle()) return false
        reject(error)
        return !isBackground
      }
      if (!isBackground) connection.await()
      const inCaller = supervision.keepsCallers?.() === true ? callerContext() : undefined
      const id = inFlight.add({ kind: operation.kind, fail, inCaller })
      if (output !== undefined) this.#calls.listen(id, (chunk) => output.push(chunk))
      const send = () => {
        inFlight.sent(id)
        operation.send(connection.methods, id).then(
          (reply) => {
            const value = this.#calls.receive(id, operation, reply, fail)
            if (value !== undefined && settle()) resolve(value.of)
          },
          (error: unknown) => this.#calls.broken(id, operation, error, fail),
        )
      }
      outbox.add(id, { command: operation.kind === 'command', send })
      if (timeout !== undefined) {
        // A reply that came while the event loop was blocked is read first.
        deadline = new Watchdog(() => {
          if (waiting) this.#interrupt(id, timeoutError(timeout, output?.taken), fail)
        })
        deadline.expect(timeout)
      }
      if (signal !== undefined) {
        unwatch = watchSignal(signal, () => this.#interrupt(id, abortError(signal, output?.taken), fail))
      }
    })
  }

  /** Has the worker close the shell. True: no native call of it is in flight. */
  async release(): Promise<boolean> {
    const { connection } = this.#calls
    connection.ref()
    return (await connection.methods.of('close')()) === true
  }

  #interrupt(id: number, error: SandboxError, fail: CallInFlight['fail']): void {
    const { connection, inFlight, outbox, supervision } = this.#calls
    fail(error)
    if (outbox.has(id)) {
      this.#calls.forget(id)
      return
    }
    const reset = () => {
      if (supervision.onInterrupt === 'reset') this.#calls.reset(error)
    }
    if (inFlight.isFirst(id)) reset()
    if (this.#calls.ended) return
    this.#calls.stop(id)
    this.#calls.commands.interrupt(id)
    connection.methods
      .of('cancel')(id)
      .then(
        (removed) => {
          if (removed !== true && inFlight.has(id)) reset()
        },
        (cause: unknown) =>
          this.#calls.breach("The call 'cancel' did not cross to the worker and back.", cause, fail),
      )
  }
}
