import type { LossCode } from '../src/index.ts'
import { Violation } from './violation.ts'

/** Seconds after a fault in which sessions may fail to open because of it. */
const aftermath = 30

/** Seconds in which an injected fault must be reported as a loss. A stopped cell takes 11. */
const patience = 60

/** When a session goes on with what its last call left: always, or only if no call has changed it. */
export type GoingOn = 'always' | 'unchanged'

/** An injected fault: the sessions that it must end, and those that it may end. */
export interface Fault {
  /** The possible loss codes. */
  readonly reasons: readonly LossCode[]
  /** Ids of the sandboxes that must lose their session. */
  readonly victims?: Iterable<string>
  /** Whether a sandbox with this id, or without one, may lose its session too. */
  readonly mayHit?: (id: string | undefined) => boolean
}

/** A fault that the ledger expects. */
export interface Announced {
  /** From now on only the losses that it must cause are explained by it. */
  over(): void
  /** It did not happen: no further losses are expected. */
  cancel(): void
}

interface OpenFault {
  readonly reasons: readonly LossCode[]
  readonly awaited: Set<string>
  mayHit: Fault['mayHit']
  readonly since: number
}

interface Loss {
  /** The generation of the next session. */
  readonly generation: number
  readonly reason: LossCode
  /** The time at which the host reported it. */
  readonly at: number
  /** The time of the first call that reported it. */
  toldAt: number | undefined
}

/**
 * Records lost sessions and checks them. Each has a fault that explains it. Its host reports it once. A call of its
 * sandbox reports it before any call succeeds in a new session. Where sessions go on, only calls report a loss that
 * were pending when the session was lost.
 */
export class LossLedger {
  /** Number of losses that faults caused or have to cause. */
  injected = 0
  /** Number of losses that hosts reported. */
  seen = 0
  #lastFaultAt = Number.NEGATIVE_INFINITY
  readonly #faults = new Set<OpenFault>()
  readonly #losses = new Map<string, Loss[]>()
  readonly #refusals = new Map<string, number>()
  readonly #goingOn = new Map<string, GoingOn>()
  readonly #unsure = new Set<string>()

  /** A sandbox is open whose session goes on after a loss. */
  goesOn(id: string, when: GoingOn = 'always'): void {
    this.#goingOn.set(id, when)
  }

  /** Whether the session of this generation has what the one before it had. */
  keeps(id: string, generation: number): boolean {
    return this.#goingOn.get(id) === 'always' && this.#lossBefore(id, generation)?.reason !== 'RESET'
  }

  /** True, once, where a session may have begun afresh: one could not be opened. */
  takeUnsure(id: string): boolean {
    return this.#unsure.delete(id)
  }

  /** Records a fault before it is injected. */
  announce({ reasons, victims = [], mayHit }: Fault): Announced {
    this.#lastFaultAt = performance.now()
    const fault: OpenFault = { reasons, awaited: new Set(victims), mayHit, since: this.#lastFaultAt }
    this.injected += fault.awaited.size
    this.#faults.add(fault)
    const over = () => {
      fault.mayHit = undefined
      this.#removeFinished()
    }
    const cancel = () => {
      this.injected -= fault.awaited.size
      fault.awaited.clear()
      over()
    }
    return { over, cancel }
  }

  /** A host reported a lost session. @throws {Violation} where no fault explains it, or it was reported before */
  lost(id: string | undefined, generation: number, reason: LossCode): void {
    this.seen += 1
    if (id !== undefined) this.#record(id, generation, reason)
    this.#explain(id, reason)
    if (id !== undefined) this.#expectNoMore(id)
  }

  /**
   * A host reported that a session could not be opened because its worker or cell had ended.
   *
   * @throws {Violation} where there was no recent fault
   */
  refused(id: string | undefined, now = performance.now()): void {
    if (now - this.#lastFaultAt > aftermath * 1000) {
      throw new Violation(
        `a session of ${id ?? 'a sandbox without an id'} could not be opened, and no fault explains it`,
      )
    }
    if (id === undefined) return
    this.#refusals.set(id, (this.#refusals.get(id) ?? 0) + 1)
    this.#unsure.add(id)
  }

  /**
   * A call rejected because its session was lost or could not be opened.
   *
   * @throws {Violation} where the host reported no such loss, or another call reported it before this one was made
   */
  told(id: string, generation: number, reason: LossCode, madeAt: number): void {
    const before = this.#lossBefore(id, generation)
    const loss = before?.reason === reason ? before : undefined
    const refusals = this.#refusals.get(id) ?? 0
    const goesOn = this.#goingOn.get(id) === 'always'
    if (loss !== undefined && madeAt <= ((goesOn ? loss.at : loss.toldAt) ?? Number.POSITIVE_INFINITY)) {
      loss.toldAt ??= performance.now()
    } else if (refusals > 0) {
      this.#refusals.set(id, refusals - 1)
    } else {
      const known = goesOn ? 'its session goes on' : 'an earlier call has told of it'
      const what = loss === undefined ? 'its host did not tell of it' : known
      throw new Violation(`a call of ${id} told of a loss (${reason}, generation ${generation}), but ${what}`)
    }
  }

  /** A call was interrupted. That reports the reset of its session, if there was one. */
  interrupted(id: string, generation: number): void {
    const loss = this.#lossBefore(id, generation)
    if (loss?.reason === 'RESET') loss.toldAt ??= performance.now()
  }

  /** A call succeeded that was made in this generation. @throws {Violation} where no call reported an earlier loss */
  succeeded(id: string, generation: number): void {
    const mustBeTold = ({ reason }: Loss) => reason === 'RESET' || !this.#goingOn.has(id)
    const untold = this.#losses
      .get(id)
      ?.find((loss) => loss.generation <= generation && loss.toldAt === undefined && mustBeTold(loss))
    if (untold === undefined) return
    throw new Violation(
      `a call of ${id} succeeded in session ${generation}, but no call told that an earlier one was lost (${untold.reason})`,
    )
  }

  /** A sandbox was closed or dropped. No more losses of it are reported. */
  left(id: string): void {
    this.#losses.delete(id)
    this.#refusals.delete(id)
    this.#goingOn.delete(id)
    this.#unsure.delete(id)
    this.#expectNoMore(id)
  }

  /** @throws {Violation} where a fault has not caused the losses that it must cause */
  check(now = performance.now()): void {
    this.#removeFinished()
    for (const { awaited, reasons, since } of this.#faults) {
      if (awaited.size === 0 || now - since <= patience * 1000) continue
      throw new Violation(
        `the fault ${reasons.join(' or ')} was not seen in ${patience} s by ${[...awaited].join(', ')}`,
      )
    }
  }

  #lossBefore(id: string, generation: number): Loss | undefined {
    return this.#losses.get(id)?.find((loss) => loss.generation === generation)
  }

  #record(id: string, generation: number, reason: LossCode): void {
    const losses = this.#losses.get(id) ?? []
    if (losses.some((loss) => loss.generation === generation)) {
      throw new Violation(`the loss of session ${generation - 1} of ${id} was told twice by its host`)
    }
    losses.push({ generation, reason, at: performance.now(), toldAt: undefined })
    this.#losses.set(id, losses)
  }

  #explain(id: string | undefined, reason: LossCode): void {
    const faults = [...this.#faults].filter(({ reasons }) => reasons.includes(reason))
    if (faults.some(({ awaited }) => id !== undefined && awaited.delete(id))) return
    this.injected += 1
    if (faults.some(({ mayHit }) => mayHit?.(id) ?? false)) return
    throw new Violation(`${id ?? 'a sandbox without an id'} was lost (${reason}), and no fault explains it`)
  }

  /** The session of a sandbox has ended, so no other fault can end it. */
  #expectNoMore(id: string): void {
    for (const { awaited } of this.#faults) if (awaited.delete(id)) this.injected -= 1
    this.#removeFinished()
  }

  #removeFinished(): void {
    for (const fault of this.#faults) {
      if (fault.awaited.size === 0 && fault.mayHit === undefined) this.#faults.delete(fault)
    }
  }
}
