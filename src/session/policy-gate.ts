import { performance } from '../async/clock.ts'
import { interruptible } from '../async/interruptible.ts'
import { timeLeft } from '../async/time-left.ts'
import { watchSignal } from '../async/watch-signal.ts'
import type { Policy, PolicyCall, PolicySandbox } from '../policy/types.ts'
import { abortError } from '../sandbox/abort-error.ts'
import { type SandboxError, SandboxLimitError, SandboxTimeoutError } from '../sandbox/errors.ts'
import type { CallLimits } from './call-limits.ts'
import { CallOrder } from './call-order.ts'
import type { CallBegin, CallReports, MakeCall } from './call-reports.ts'
import type { CallSubject } from './call-subject.ts'
import { Deciding } from './deciding.ts'
import type { Operation } from './operations.ts'
import * as refusals from './refusals.ts'

/** What a gate has of its session. */
export interface GateOptions {
  readonly policies: () => readonly Policy[]
  /** Seconds that a policy may take. */
  readonly timeout: number
  /** Seconds that an approver may take. */
  readonly askTimeout: number
  /** Calls that may wait at once. */
  readonly maxPending: number
  readonly reports: CallReports
  /** Whose calls they are, now. */
  readonly sandbox: () => PolicySandbox
}

/** What comes of a call: it is made, perhaps with another command, or it is answered. */
type Chosen<T> = { readonly operation: Operation<T> } | { readonly answer: T }

/** Has policies decide on the calls of one sandbox, one at a time. Calls go on in the order in which they came. */
export class PolicyGate {
  readonly #options: GateOptions
  readonly #own = new Deciding()
  readonly #order = new CallOrder()
  /** Ends the waits of calls, each with the error that it rejects with. */
  readonly #waits = new Set<(error: SandboxError) => void>()
  #closed: SandboxError | undefined

  constructor(options: GateOptions) {
    this.#options = options
  }

  /**
   * Makes a call once those before it are decided, where the policies allow it.
   *
   * @throws {SandboxLimitError} where too many wait
   * @throws {SandboxPermissionError} for a file operation that is denied
   */
  pass<T>(operation: Operation<T>, limits: CallLimits, begin: CallBegin, make: MakeCall<T>): Promise<T> {
    const start = performance.now()
    return this.#inTurn(
      limits,
      (signal) => this.#choose(operation, begin, signal),
      (chosen) =>
        'answer' in chosen
          ? Promise.resolve(chosen.answer)
          : make(chosen.operation, { ...limits, timeout: timeLeft(limits.timeout, start) }, begin),
    )
  }

  /** Does what no policy decides on, once the calls before are decided. Later ones come behind it. */
  turn<T>(make: () => Promise<T>): Promise<T> {
    return this.#inTurn({}, () => Promise.resolve(), make)
  }

  /** The sandbox or its host is closed: calls that wait reject, and those that come. */
  close(error: SandboxError): void {
    this.#closed ??= error
    for (const end of this.#waits) end(error)
  }

  async #inTurn<C, T>(
    limits: CallLimits,
    choose: (signal: AbortSignal) => Promise<C>,
    make: (chosen: C) => Promise<T>,
  ): Promise<T> {
    if (this.#closed !== undefined) throw this.#closed
    if (this.#own.isDeciding) throw refusals.decidedByOwn()
    this.#requireRoom()
    const { begins, leave } = this.#order.enter()
    let made: Promise<T>
    try {
      const chosen = await this.#within(limits, async (signal) => {
        await begins
        signal.throwIfAborted()
        return choose(signal)
      })
      made = make(chosen)
    } finally {
      leave()
    }
    return made
  }

  #requireRoom(): void {
    const { maxPending } = this.#options
    if (this.#waits.size < maxPending) return
    throw new SandboxLimitError(
      `${maxPending} calls wait for the policy of this sandbox (maxPending: ${maxPending}). Wait for some of them.`,
      { limit: 'maxPending', value: maxPending },
    )
  }

  /** Waits for what may be cut short: by the limits of the call, and by the end of the sandbox. */
  async #within<T>({ timeout, signal }: CallLimits, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (signal?.aborted) throw abortError(signal)
    const stop = new AbortController()
    const end = (error: SandboxError) => stop.abort(error)
    const unwatch = signal && watchSignal(signal, () => end(abortError(signal)))
    this.#waits.add(end)
    try {
      return await interruptible(work(stop.signal), {
        seconds: timeout,
        signal: stop.signal,
        onAbort: () => stop.signal.reason,
        onTimeout: tooLate,
      })
    } finally {
      this.#waits.delete(end)
      unwatch?.()
      // A policy that still decides is to stop.
      stop.abort()
    }
  }

  async #choose<T>(operation: Operation<T>, begin: CallBegin, signal: AbortSignal): Promise<Chosen<T>> {
    const { policies, timeout, askTimeout, reports, sandbox } = this.#options
    const { subject } = operation
    if (subject === undefined) return { operation }
    const call = callOf(subject, sandbox())
    const { decide } = await loadDecide()
    const decision = await this.#own.run(() => decide(policies(), call, { timeout, askTimeout, signal }))
    // What came of a call that nobody waits for any more is no decision.
    signal.throwIfAborted()
    if (!decision.allow) {
      begin.denied = true
      reports.decided(subject, 'deny', decision)
      if (operation.denied === undefined) throw new TypeError('Such a call has no policy.')
      return { answer: operation.denied(decision.reason) }
    }
    if (decision.approved) reports.decided(subject, 'approved')
    const { call: chosen } = decision
    if (chosen.kind !== 'command' || call.kind !== 'command' || chosen.command === call.command)
      return { operation }
    if (operation.instead === undefined) throw new TypeError('A command can be another one.')
    reports.decided(subject, 'run', { reason: chosen.command })
    return { operation: operation.instead(chosen.command) }
  }
}

let loading: Promise<typeof import('../policy/decide.ts')> | undefined

/** Loads what decides, once: who has no policy needs none of it. */
function loadDecide(): NonNullable<typeof loading> {
  loading ??= import('../policy/decide.ts')
  return loading
}

function callOf(subject: CallSubject, sandbox: PolicySandbox): PolicyCall {
  if (subject.kind === 'file') {
    const { operation, path, to } = subject
    return { sandbox, kind: 'file', operation, path, to }
  }
  if (subject.kind === 'commands') throw new TypeError('Policies decide on one command at a time.')
  const { text, language, cwd } = subject
  return language === undefined
    ? { sandbox, kind: 'command', command: text, cwd }
    : { sandbox, kind: 'code', code: text, language, cwd }
}

function tooLate(): SandboxTimeoutError {
  return new SandboxTimeoutError(
    "The call's timeout passed while a policy decided, on it or on a call before.",
  )
}
