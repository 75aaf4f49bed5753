import * as Comlink from 'comlink'
import type { LossData } from '../contract/errors.ts'
import type { SandboxError } from '../sandbox/errors.ts'
import { lossError } from '../sandbox/loss-error.ts'
import { showValue } from '../sandbox/show-value.ts'
import { type BlockingEnd, BlockingWait } from './blocking-wait.ts'
import type { CallLimits } from './call-limits.ts'
import type { CallInFlight } from './calls-in-flight.ts'
import type { LeaseCalls } from './lease-calls.ts'
import type { BlockingOperation, Operation } from './operations.ts'
import { timeoutError } from './timeout-error.ts'

/** The loss where a worker ends while a thread blocks on it: the thread cannot read how it ended. */
const endedUnderCall: LossData = {
  code: 'WORKER_EXITED',
  message: 'The worker ended under a synchronous call.',
}

/** Seconds that a worker has to answer whether a call can still be cancelled. */
const answerAllowance = 1

/** A shell in another thread, for callers whose thread blocks until their call is answered. */
export class BlockingRemote {
  readonly #calls: LeaseCalls
  #wait: BlockingWait | undefined

  constructor(calls: LeaseCalls) {
    this.#calls = calls
    calls.onEnd(() => this.#wait?.close())
  }

  /**
   * Makes a call and blocks this thread until its reply is there. It runs after the calls that were made before, and does not
   * wait for the commands of other sandboxes.
   */
  call<T>(operation: BlockingOperation<T>, { timeout, signal }: CallLimits = {}): T {
    const { connection, inFlight, outbox, supervision } = this.#calls
    const refusal = this.#calls.refusal(signal)
    if (refusal !== undefined) throw refusal
    let waiting = true
    let failure: SandboxError | undefined
    const fail = (error: SandboxError): boolean => {
      failure ??= error
      return waiting
    }
    const id = inFlight.add({ kind: operation.kind, fail })
    const wait = this.#open()
    const send = () => {
      inFlight.sent(id)
      connection.sendBlocking({ kind: 'block', id, call: operation.blocking })
    }
    outbox.addBlocking(id, { command: operation.kind === 'command', send })
    try {
      const end = wait.for(id, { timeout: timeout ?? Number.POSITIVE_INFINITY, perCall: inFlight.longest })
      const value = this.#receive(id, operation, end, fail)
      if (value !== undefined) return value.of
      if (end === 'late' && timeout !== undefined) this.#cancel(id, operation, timeoutError(timeout), fail)
    } finally {
      waiting = false
      if (supervision.onCheckpoint !== undefined) connection.readNow()
    }
    throw failure ?? lossError(endedUnderCall)
  }

  #open(): BlockingWait {
    if (this.#wait !== undefined) return this.#wait
    this.#wait = new BlockingWait()
    const { farPort, words } = this.#wait
    const { methods } = this.#calls.connection
    methods
      .of('openBlocking')(Comlink.transfer(farPort, [farPort]), words)
      .catch((error: unknown) => {
        this.#calls.lose({
          code: 'PROTOCOL',
          message: `The worker takes no synchronous calls: ${showValue(error)}`,
        })
      })
    return this.#wait
  }

  #receive<T>(
    id: number,
    operation: Operation<T>,
    end: BlockingEnd,
    fail: CallInFlight['fail'],
  ): { of: T } | undefined {
    const calls = this.#calls
    if (end === 'gone') calls.lose(endedUnderCall, true)
    else if (end === 'overdue') calls.lose(calls.inFlight.overdue, true)
    else if (end === 'late' || 'begun' in end) return undefined
    else if ('lost' in end) calls.lose(end.lost, true)
    else if ('outcome' in end) return calls.receive(id, operation, end.outcome, fail)
    else calls.breach(`The worker's reply to '${operation.name}' cannot be read.`, end.unreadable, fail)
    return undefined
  }

  /** The caller's timeout passed: the call is cancelled, or, where it has begun and `onInterrupt` is `'reset'`, the session is lost. */
  #cancel(id: number, operation: Operation<unknown>, error: SandboxError, fail: CallInFlight['fail']): void {
    const { connection, inFlight, supervision } = this.#calls
    fail(error)
    inFlight.stop(id)
    connection.methods
      .of('cancelBlocking')(id)
      .then(
        () => this.#calls.forget(id),
        (cause: unknown) => this.#calls.broken(id, operation, cause, fail),
      )
    if (supervision.onInterrupt === 'keep') {
      this.#calls.stop(id)
      return
    }
    const end = this.#open().for(id, { timeout: answerAllowance, perCall: answerAllowance })
    const isOver = typeof end === 'object' && 'outcome' in end
    if (!isOver) this.#calls.reset(error)
  }
}
