import { performance } from '../async/clock.ts'
import type { ConflictData } from '../contract/shell-api.ts'
import type { SessionRegistration } from '../host/session-registration.ts'
import type { Policy, PolicySandbox } from '../policy/types.ts'
import type { SandboxError } from '../sandbox/errors.ts'
import type { CallLimits } from './call-limits.ts'
import { type CallBegin, CallReports, type MakeCall } from './call-reports.ts'
import type { CheckedEgressSignal } from './egress-signal-schema.ts'
import type { BlockingOperation, Operation } from './operations.ts'
import { PolicyGate } from './policy-gate.ts'
import * as refusals from './refusals.ts'
import type { Secrets } from './secrets.ts'
import type { HeldConfig } from './session-config.ts'

/** What is asked about the calls of a sandbox. */
interface Overseen {
  /** What decides on them. */
  readonly policies: () => readonly Policy[]
  readonly secrets: Secrets
  /** Whose calls they are, now. */
  readonly sandbox: () => PolicySandbox
}

/** Has policies decide on the calls of one sandbox, and tells how each has ended. */
export class CallOversight {
  readonly #secrets: Secrets
  readonly #reports: CallReports
  /** Undefined where there is no policy. */
  readonly #gate: PolicyGate | undefined

  constructor(
    config: HeldConfig,
    registration: SessionRegistration,
    { policies, secrets, sandbox }: Overseen,
  ) {
    this.#secrets = secrets
    const reports = new CallReports(registration.events, this.#secrets)
    this.#reports = reports
    const { maxPending, policyTimeout: timeout, approvalTimeout: askTimeout } = config
    this.#gate =
      policies().length === 0
        ? undefined
        : new PolicyGate({ policies, timeout, askTimeout, maxPending, reports, sandbox })
  }

  /** True where policies decide. */
  get decides(): boolean {
    return this.#gate !== undefined
  }

  /** Makes a call where the policies allow it. */
  async call<T>(operation: Operation<T>, limits: CallLimits, make: MakeCall<T>): Promise<T> {
    const begin = this.#begin(limits)
    try {
      const made = this.#gate?.pass(operation, limits, begin, make) ?? make(operation, limits, begin)
      const value = await made
      this.#reports.ended(operation, begin, { value })
      return value
    } catch (error) {
      this.#reports.ended(operation, begin, { error })
      throw error
    }
  }

  /**
   * Makes a call that blocks this thread.
   *
   * @throws {UnsupportedError} where policies decide
   */
  block<T>(operation: BlockingOperation<T>, limits: CallLimits, make: () => T): T {
    const begin = this.#begin(limits)
    try {
      if (this.decides) throw refusals.policyDecides()
      const value = make()
      this.#reports.ended(operation, begin, { value })
      return value
    } catch (error) {
      this.#reports.ended(operation, begin, { error })
      throw error
    }
  }

  /** Does what no policy decides on, behind the calls that one does. */
  turn<T>(make: () => Promise<T>): Promise<T> {
    return this.#gate === undefined ? make() : this.#gate.turn(make)
  }

  /** Tells of a path that was changed on both sides. */
  conflict(conflict: ConflictData): void {
    this.#reports.conflict(conflict)
  }

  /** Tells of a request of the shell to the network. */
  egress(signal: CheckedEgressSignal, cell: string | undefined): void {
    this.#reports.egress(signal, cell)
  }

  /** The sandbox is closed: calls that wait for a policy reject. */
  close(error: SandboxError): void {
    this.#gate?.close(error)
  }

  #begin({ secrets }: CallLimits): CallBegin {
    if (secrets !== undefined) this.#secrets.begins(secrets)
    return { start: performance.now(), secrets, generation: undefined, denied: false }
  }
}
