import { clearTimeout, setTimeout } from '../async/clock.ts'
import type { CheckpointPart } from '../contract/checkpoint.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import type { LossData } from '../contract/errors.ts'
import type { OutputChunk } from '../contract/host-commands.ts'
import type { ConflictData } from '../contract/shell-api.ts'
import { abortError } from '../sandbox/abort-error.ts'
import { ProtocolError, type SandboxError, SandboxLimitError } from '../sandbox/errors.ts'
import { lossError } from '../sandbox/loss-error.ts'
import { rebuildError } from '../sandbox/rebuild-error.ts'
import { reportable } from '../sandbox/report-hint.ts'
import type { CallerSignal } from './caller-signal-schema.ts'
import { type CallInFlight, CallsInFlight } from './calls-in-flight.ts'
import { CommandCalls } from './command-calls.ts'
import type { CheckedEgressSignal } from './egress-signal-schema.ts'
import { LeaseConnection } from './lease-connection.ts'
import type { Operation } from './operations.ts'
import { Outbox } from './outbox.ts'
import { isOutcome } from './outcome-schema.ts'
import type { Supervision } from './supervision.ts'

/** Milliseconds between a closed connection and the exit of its worker, at most: freeing a large heap takes long. */
const exitNotice = 5_000

const wrongCheckpoint = "What the worker has handed over is not of the contract's shape."

type Fail = CallInFlight['fail']

/**
 * The calls of one lease, awaited and blocking ones: which wait, which are in flight, how each reply is read. Whatever
 * ends the session settles all of them.
 */
export class LeaseCalls {
  readonly supervision: Supervision
  readonly connection: LeaseConnection
  readonly inFlight: CallsInFlight
  readonly outbox: Outbox
  /** The functions of the caller that run for these calls. */
  readonly commands: CommandCalls
  readonly #outputs = new Map<number, (chunk: OutputChunk) => void>()
  readonly #onEnd: (() => void)[] = []
  #exitNotice: NodeJS.Timeout | undefined
  #end: (() => SandboxError) | undefined
  #left: number | undefined

  constructor(endpoint: Endpoint, supervision: Supervision) {
    this.supervision = supervision
    this.connection = new LeaseConnection(endpoint, {
      onLost: (loss) => this.lose(loss),
      onCheckpoint: (part) => this.#keep(part),
      onCallerSignal: (signal) => this.#callerAsked(signal),
      onClosed: () => this.#connectionClosed(),
    })
    this.inFlight = new CallsInFlight(supervision, {
      onOverdue: () => this.lose(this.inFlight.overdue),
      onStop: supervision.interrupt,
    })
    this.outbox = new Outbox(supervision.commandLimiter)
    this.commands = new CommandCalls(supervision.hostCommands, (signal) => this.connection.send(signal))
  }

  /** True once the session is over. */
  get ended(): boolean {
    return this.#end !== undefined
  }

  /** The call that the worker ran when the session ended. */
  get left(): number | undefined {
    return this.#left
  }

  /** Calls `listener` when the session ends. */
  onEnd(listener: () => void): void {
    this.#onEnd.push(listener)
  }

  /** Why no further call can be made now. */
  refusal(signal: AbortSignal | undefined): SandboxError | undefined {
    if (this.#end !== undefined) return this.#end()
    if (signal?.aborted) return abortError(signal)
    const { maxPending } = this.supervision
    if (this.inFlight.size < maxPending) return undefined
    return new SandboxLimitError(
      `${this.inFlight.size} calls are pending on this sandbox (maxPending: ${maxPending}). Wait for some of them.`,
      { limit: 'maxPending', value: maxPending },
    )
  }

  /** Reads the reply to a call; undefined where there is no value, and the call has failed. */
  receive<T>(id: number, { name, accepts }: Operation<T>, reply: unknown, fail: Fail): { of: T } | undefined {
    const counts = this.ended || this.supervision.onAnswered()
    if (!this.forget(id)) return undefined
    if (!counts) {
      this.breach(wrongCheckpoint, undefined, fail)
      return undefined
    }
    if (isOutcome(reply)) {
      if (!reply.ok) {
        this.#report(reply.conflicts)
        const awaited = fail(rebuildError(reply.error))
        if (reply.error.code === 'WORKER_LOST') this.lose(lossOf(reply.error), awaited || this.#isAwaited)
        return undefined
      }
      if (accepts(reply.value)) {
        this.#report(reply.conflicts)
        return { of: reply.value }
      }
    }
    this.breach(`The worker's reply to '${name}' is not of the contract's shape.`, undefined, fail)
    return undefined
  }

  /** A call did not cross to the worker and back. */
  broken(id: number, { name }: Operation<unknown>, error: unknown, fail: Fail): void {
    if (this.forget(id)) this.breach(`The call '${name}' did not cross to the worker and back.`, error, fail)
  }

  /** A worker that breaks the contract cannot be trusted with the session. */
  breach(message: string, cause: unknown, fail: Fail): void {
    const awaited = fail(new ProtocolError(reportable(message), { cause }))
    this.lose({ code: 'PROTOCOL', message }, awaited || this.#isAwaited)
  }

  /** Removes a call. False: it was removed before. */
  forget(id: number): boolean {
    const call = this.inFlight.remove(id)
    if (call === undefined) return false
    this.commands.settled(id)
    if (this.outbox.has(id)) this.outbox.remove(id)
    else if (call.kind === 'command') this.outbox.answered()
    return true
  }

  /** Has the engine stop a call that was sent, where it can. A command that goes on nevertheless ends the session. */
  stop(id: number): void {
    this.inFlight.stop(id)
    if (this.supervision.endsStuck) this.inFlight.hurry(id)
  }

  /** Output of a call that runs goes to `listener`, until it has settled for its caller. */
  listen(id: number, listener: (chunk: OutputChunk) => void): void {
    if (this.supervision.streaming) this.#outputs.set(id, listener)
  }

  /** Output of a call is not wanted any more. */
  unlisten(id: number): void {
    this.#outputs.delete(id)
  }

  /** The session is lost because a call was interrupted. */
  reset(error: SandboxError): void {
    this.lose({ code: 'RESET', message: `A call was interrupted: ${error.message}` }, true)
  }

  /** The session is lost: every pending call rejects with `WORKER_LOST`. The first cause counts. */
  lose(loss: LossData, reported = this.#isAwaited): void {
    if (this.end(() => lossError(loss))) this.supervision.onLost(loss, reported)
  }

  /** Settles every pending call and refuses further ones. True: this was the first end. */
  end(makeError: () => SandboxError): boolean {
    if (this.#end !== undefined) return false
    this.#end = makeError
    clearTimeout(this.#exitNotice)
    this.#left = this.inFlight.running
    this.outbox.close()
    this.commands.close()
    this.inFlight.end(makeError)
    for (const listener of this.#onEnd) listener()
    return true
  }

  /** What belongs to no call in flight came too late; a request to the network may be of a job in the background. */
  #callerAsked(signal: CallerSignal): void {
    if (this.ended) return
    if (signal.kind === 'commandEnd') this.commands.ended(signal.id)
    else if (signal.kind === 'fileDone') this.commands.fileDone(signal)
    else if (signal.kind === 'egress' || signal.kind === 'egressEnd') this.#tellEgress(signal)
    else if (!this.inFlight.has(signal.call)) return
    else if (signal.kind === 'command') this.commands.start(signal)
    else this.#outputs.get(signal.call)?.(signal)
  }

  #tellEgress(signal: CheckedEgressSignal): void {
    const tell = () => this.supervision.onEgress(signal)
    const { inFirstCaller } = this.inFlight
    if (inFirstCaller === undefined) tell()
    else inFirstCaller(tell)
  }

  get #isAwaited(): boolean {
    return this.connection.isAwaited
  }

  /** What comes after the end is of no use: another session may go on with what was kept. */
  #keep(part: CheckpointPart | null | undefined): void {
    if (this.ended) return
    const { onCheckpoint } = this.supervision
    if (part !== undefined && onCheckpoint?.(part) === true) return
    this.lose({ code: 'PROTOCOL', message: wrongCheckpoint })
  }

  #report(conflicts: readonly ConflictData[] | undefined): void {
    if (conflicts !== undefined && conflicts.length > 0) this.supervision.onConflicts(conflicts)
  }

  /** An exiting worker closes its ports first: the event that says why may come later. */
  #connectionClosed(): void {
    if (this.#end !== undefined) return
    this.supervision.onClosed()
    const message = "The worker closed the session's port."
    this.#exitNotice = setTimeout(() => this.lose({ code: 'WORKER_EXITED', message }), exitNotice)
    this.connection.keepAliveBy(this.#exitNotice)
  }
}

function lossOf({ loss, message }: { readonly loss?: LossData; readonly message: string }): LossData {
  return loss ?? { code: 'WORKER_FAILED', message }
}
