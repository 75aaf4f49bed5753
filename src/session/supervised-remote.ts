import type { MessagePort } from 'node:worker_threads'
import * as Comlink from 'comlink'
import nodeEndpoint from 'comlink/dist/esm/node-adapter.mjs'
import { watchSignal } from '../async/watch-signal.ts'
import type { LossData } from '../contract/errors.ts'
import type { ConflictData, ShellApi } from '../contract/shell-api.ts'
import type { BlockSignal, SignalMessage } from '../contract/signals.ts'
import type { CommandLimiter } from '../host/command-limiter.ts'
import {
  ProtocolError,
  SandboxAbortError,
  type SandboxError,
  SandboxLimitError,
  SandboxTimeoutError,
} from '../sandbox/errors.ts'
import { lossError } from '../sandbox/loss-error.ts'
import { rebuildError } from '../sandbox/rebuild-error.ts'
import { reportable } from '../sandbox/report-hint.ts'
import { showValue } from '../sandbox/show-value.ts'
import { type BlockingEnd, BlockingWait } from './blocking-wait.ts'
import { type CallAllowances, type CallInFlight, CallsInFlight } from './calls-in-flight.ts'
import { type BlockingOperation, keepMethods, type Operation, type RemoteMethods } from './operations.ts'
import { Outbox } from './outbox.ts'
import { isLostSignal, isOutcome } from './reply-shapes.ts'

/** What may cut one call short. */
export interface CallLimits {
  /** Seconds until the call rejects with `TIMEOUT`. */
  readonly timeout?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/** How a remote is supervised. */
export interface Supervision extends CallAllowances {
  readonly maxPending: number
  /** The turns that commands wait for: a command's time begins when it is sent. */
  readonly turns: CommandLimiter
  /** Whether an interrupted command costs the session. */
  readonly onInterrupt: 'keep' | 'reset'
  /** Told once, when the session is lost; `reported` where a call has rejected for it. */
  readonly onLost: (loss: LossData, reported: boolean) => void
  /** Told of the conflicts that a call met, before the call settles. Must not throw. */
  readonly onConflicts: (conflicts: readonly ConflictData[]) => void
  /** Told when the worker has closed the port: it has ended, or will serve nothing more. */
  readonly onPortClosed: () => void
}

/** What a worker is that ends while a thread stands still for it: how it ended is told once the thread moves on. */
const endedUnderCall: LossData = {
  code: 'WORKER_EXITED',
  message: 'The worker ended under a synchronous call.',
}

/** Seconds in which a worker answers whether a call can still be taken back. */
const answerAllowance = 1

/** Milliseconds between a closed port and the exit of its worker, at most: freeing a large heap takes its time. */
const exitNotice = 5_000

/**
 * A shell in another thread, whose every call settles: with a reply of the right shape, when its caller's
 * time or patience is over, or when the session ends, for whatever reason.
 */
export class SupervisedRemote {
  readonly #port: MessagePort
  readonly #methods: RemoteMethods
  readonly #supervision: Supervision
  readonly #calls: CallsInFlight
  readonly #outbox: Outbox
  #blocking: BlockingWait | undefined
  #awaited = 0
  #exitNotice: NodeJS.Timeout | undefined
  #end: (() => SandboxError) | undefined

  constructor(port: MessagePort, supervision: Supervision) {
    this.#port = port
    this.#supervision = supervision
    this.#calls = new CallsInFlight(supervision, () => this.lose(this.#calls.overdue))
    this.#outbox = new Outbox(supervision.turns)
    const remote = Comlink.wrap<ShellApi>(nodeEndpoint(port))
    this.#methods = keepMethods(remote)
    port.on('message', (message: unknown) => {
      if (isLostSignal(message)) this.lose(message.signal.loss)
    })
    port.on('messageerror', (error) => {
      this.lose({ code: 'PROTOCOL', message: `A message of the worker could not be read: ${error.message}` })
    })
    port.once('close', () => this.#portClosed())
    port.unref()
  }

  /** Makes a call; calls run in the order in which they are made. */
  call<T>(operation: Operation<T>, { timeout, signal }: CallLimits = {}): Promise<T> {
    return new Promise((resolve, reject) => {
      const refusal = this.#refusal(signal)
      if (refusal !== undefined) {
        reject(refusal)
        return
      }
      let timer: NodeJS.Timeout | undefined
      let unwatch: (() => void) | undefined
      let waiting = true
      const settle = (): boolean => {
        if (!waiting) return false
        waiting = false
        clearTimeout(timer)
        unwatch?.()
        if (--this.#awaited === 0) this.#port.unref()
        return true
      }
      const fail = (error: SandboxError): boolean => {
        if (!settle()) return false
        reject(error)
        return true
      }
      if (this.#awaited++ === 0) this.#port.ref()
      const id = this.#calls.add({ kind: operation.kind, fail })
      const send = () => {
        this.#calls.sent(id)
        operation.send(this.#methods, id).then(
          (reply) => {
            const value = this.#receive(id, operation, reply, fail)
            if (value !== undefined && settle()) resolve(value.of)
          },
          (error: unknown) => this.#broken(id, operation, error, fail),
        )
      }
      this.#outbox.add(id, { command: operation.kind === 'command', send })
      if (timeout !== undefined) {
        const interrupt = () => {
          if (waiting) this.#interrupt(id, timedOut(timeout), fail)
        }
        // A reply that came while the event loop stood still is read first.
        timer = setTimeout(() => setImmediate(interrupt), timeout * 1000)
      }
      if (signal !== undefined) {
        unwatch = watchSignal(signal, () => this.#interrupt(id, aborted(signal), fail))
      }
    })
  }

  /**
   * Makes a call and stands still until its reply is there: it runs after the calls that were made before. Their turns
   * are not waited for.
   */
  block<T>(operation: BlockingOperation<T>, { timeout, signal }: CallLimits = {}): T {
    const refusal = this.#refusal(signal)
    if (refusal !== undefined) throw refusal
    let waiting = true
    let failure: SandboxError | undefined
    const fail = (error: SandboxError): boolean => {
      failure ??= error
      return waiting
    }
    const id = this.#calls.add({ kind: operation.kind, fail })
    const wait = this.#openBlocking()
    const send = () => {
      this.#calls.sent(id)
      this.#sendBlocking({ kind: 'block', id, call: operation.blocking })
    }
    this.#outbox.addBlocking(id, { command: operation.kind === 'command', send })
    try {
      const end = wait.for(id, { timeout: timeout ?? Number.POSITIVE_INFINITY, perCall: this.#calls.longest })
      const value = this.#endBlocking(id, operation, end, fail)
      if (value !== undefined) return value.of
      if (end === 'late' && timeout !== undefined) this.#takeBack(id, operation, timedOut(timeout), fail)
    } finally {
      waiting = false
    }
    throw failure ?? lossError(endedUnderCall)
  }

  /** The session is lost: every pending call rejects with `WORKER_LOST`. First cause wins. */
  lose(loss: LossData, reported = this.#awaited > 0): void {
    if (this.end(() => lossError(loss))) this.#supervision.onLost(loss, reported)
  }

  /** Settles every pending call and refuses further ones. True: this was the first end. */
  end(makeError: () => SandboxError): boolean {
    if (this.#end !== undefined) return false
    this.#end = makeError
    clearTimeout(this.#exitNotice)
    this.#outbox.close()
    this.#calls.end(makeError)
    this.#blocking?.close()
    return true
  }

  /** Has the worker give the shell up. True: no native call of it is in flight. */
  async release(): Promise<boolean> {
    this.#port.ref()
    return (await this.#methods.close()) === true
  }

  #refusal(signal: AbortSignal | undefined): SandboxError | undefined {
    if (this.#end !== undefined) return this.#end()
    if (signal?.aborted) return aborted(signal)
    const { maxPending } = this.#supervision
    if (this.#calls.size < maxPending) return undefined
    return new SandboxLimitError(
      `${this.#calls.size} calls are pending on this sandbox (maxPending: ${maxPending}). Wait for some of them.`,
      { limit: 'maxPending', value: maxPending },
    )
  }

  #receive<T>(
    id: number,
    { name, accepts }: Operation<T>,
    reply: unknown,
    fail: CallInFlight['fail'],
  ): { of: T } | undefined {
    if (!this.#forget(id)) return undefined
    if (isOutcome(reply)) {
      if (!reply.ok) {
        this.#report(reply.conflicts)
        const awaited = fail(rebuildError(reply.error))
        if (reply.error.code === 'WORKER_LOST') this.lose(lossOf(reply.error), awaited || this.#awaited > 0)
        return undefined
      }
      if (accepts(reply.value)) {
        this.#report(reply.conflicts)
        return { of: reply.value }
      }
    }
    this.#breach(`The worker's reply to '${name}' is not of the contract's shape.`, undefined, fail)
    return undefined
  }

  #report(conflicts: readonly ConflictData[] | undefined): void {
    if (conflicts !== undefined && conflicts.length > 0) this.#supervision.onConflicts(conflicts)
  }

  #broken(id: number, { name }: Operation<unknown>, error: unknown, fail: CallInFlight['fail']): void {
    if (this.#forget(id))
      this.#breach(`The call '${name}' did not cross to the worker and back.`, error, fail)
  }

  /** A worker that breaks the contract cannot be trusted with the session. */
  #breach(message: string, cause: unknown, fail: CallInFlight['fail']): void {
    const awaited = fail(new ProtocolError(reportable(message), { cause }))
    this.lose({ code: 'PROTOCOL', message }, awaited || this.#awaited > 0)
  }

  #interrupt(id: number, error: SandboxError, fail: CallInFlight['fail']): void {
    fail(error)
    if (this.#outbox.has(id)) {
      this.#forget(id)
      return
    }
    const { onInterrupt } = this.#supervision
    const reset = () => {
      if (onInterrupt === 'reset') this.#reset(error)
    }
    if (this.#calls.isFirst(id)) reset()
    if (this.#end !== undefined) return
    this.#methods.cancel(id).then(
      (removed) => {
        if (removed !== true && this.#calls.has(id)) reset()
      },
      (cause: unknown) =>
        this.#breach("The call 'cancel' did not cross to the worker and back.", cause, fail),
    )
  }

  #forget(id: number): boolean {
    const call = this.#calls.remove(id)
    if (call === undefined) return false
    if (this.#outbox.has(id)) this.#outbox.remove(id)
    else if (call.kind === 'command') this.#outbox.answered()
    return true
  }

  #openBlocking(): BlockingWait {
    if (this.#blocking !== undefined) return this.#blocking
    this.#blocking = new BlockingWait()
    const { farPort, words } = this.#blocking
    this.#methods.openBlocking(Comlink.transfer(farPort, [farPort]), words).catch((error: unknown) => {
      this.lose({ code: 'PROTOCOL', message: `The worker takes no synchronous calls: ${showValue(error)}` })
    })
    return this.#blocking
  }

  #sendBlocking(signal: BlockSignal): void {
    const { call } = signal
    this.#port.postMessage(
      { signal } satisfies SignalMessage,
      call.name === 'writeFile' ? [call.content.buffer] : [],
    )
  }

  #endBlocking<T>(
    id: number,
    operation: Operation<T>,
    end: BlockingEnd,
    fail: CallInFlight['fail'],
  ): { of: T } | undefined {
    if (end === 'gone') this.lose(endedUnderCall, true)
    else if (end === 'overdue') this.lose(this.#calls.overdue, true)
    else if (end === 'late' || 'begun' in end) return undefined
    else if ('lost' in end) this.lose(end.lost, true)
    else if ('outcome' in end) return this.#receive(id, operation, end.outcome, fail)
    else this.#breach(`The worker's reply to '${operation.name}' cannot be read.`, end.unreadable, fail)
    return undefined
  }

  /** A blocking call's time is over: it is taken back, or the session is given up under it where it has begun. */
  #takeBack(
    id: number,
    operation: Operation<unknown>,
    error: SandboxError,
    fail: CallInFlight['fail'],
  ): void {
    fail(error)
    this.#methods.cancelBlocking(id).then(
      () => this.#forget(id),
      (cause: unknown) => this.#broken(id, operation, cause, fail),
    )
    if (this.#supervision.onInterrupt === 'keep') return
    const end = this.#openBlocking().for(id, { timeout: answerAllowance, perCall: answerAllowance })
    const isOver = typeof end === 'object' && 'outcome' in end
    if (!isOver) this.#reset(error)
  }

  #reset(error: SandboxError): void {
    this.lose({ code: 'RESET', message: `A call was interrupted: ${error.message}` }, true)
  }

  /** Leaves the worker's exit, which closes its ports first, a moment to say why. */
  #portClosed(): void {
    if (this.#end !== undefined) return
    this.#supervision.onPortClosed()
    const message = "The worker closed the session's port."
    this.#exitNotice = setTimeout(() => this.lose({ code: 'WORKER_EXITED', message }), exitNotice)
    if (this.#awaited === 0) this.#exitNotice.unref()
  }
}

function lossOf({ loss, message }: { readonly loss?: LossData; readonly message: string }): LossData {
  return loss ?? { code: 'WORKER_FAILED', message }
}

function timedOut(seconds: number): SandboxTimeoutError {
  return new SandboxTimeoutError(`The call did not end within its timeout of ${seconds} s.`)
}

/** What a call rejects with whose signal fired. */
export function aborted(signal: AbortSignal | undefined): SandboxAbortError {
  return new SandboxAbortError("The call's signal was aborted.", { cause: signal?.reason })
}
