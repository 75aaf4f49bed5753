import type { LossCode } from '../src/index.ts'
import { Violation } from './violation.ts'

/** Seconds after a fault in which sessions may fail to open for it. */
const aftermath = 30

/** Seconds in which an injected fault must be seen as a loss: a cell that stands still takes eleven. */
const patience = 60

/** A fault that is injected: the sessions that it must end, and those that it may. */
export interface Strike {
  /** How the sessions end: in one of these ways. */
  readonly reasons: readonly LossCode[]
  /** Ids of the sandboxes that must lose their session. */
  readonly victims?: Iterable<string>
  /** Whether the sandbox of this id, or one without an id, may lose its session, too. */
  readonly mayHit?: (id: string | undefined) => boolean
}

/** A fault that was announced. */
export interface Announced {
  /** Nothing more comes of it but the losses that it must bring about. */
  over(): void
  /** It did not happen: what it has not ended yet, it will not. */
  cancel(): void
}

interface OpenStrike {
  readonly reasons: readonly LossCode[]
  readonly awaited: Set<string>
  mayHit: Strike['mayHit']
  readonly since: number
}

interface Loss {
  /** That of the session after it. */
  readonly generation: number
  readonly reason: LossCode
  /** When a call told of it first. */
  toldAt: number | undefined
}

/**
 * Keeps account of lost sessions: each has a fault that explains it, its host tells of it once, and so do the calls of
 * its sandbox before any call succeeds in a fresh session.
 */
export class LossBook {
  /** Losses that faults brought about, or are to bring about. */
  injected = 0
  /** Losses that hosts told of. */
  seen = 0
  #struckAt = Number.NEGATIVE_INFINITY
  readonly #strikes = new Set<OpenStrike>()
  readonly #losses = new Map<string, Loss[]>()
  readonly #refusals = new Map<string, number>()

  /** Announces a fault. */
  strike({ reasons, victims = [], mayHit }: Strike): Announced {
    this.#struckAt = performance.now()
    const strike: OpenStrike = { reasons, awaited: new Set(victims), mayHit, since: this.#struckAt }
    this.injected += strike.awaited.size
    this.#strikes.add(strike)
    const over = () => {
      strike.mayHit = undefined
      this.#forgetSpent()
    }
    const cancel = () => {
      this.injected -= strike.awaited.size
      strike.awaited.clear()
      over()
    }
    return { over, cancel }
  }

  /** A host told of a lost session. @throws {Violation} where no fault explains it, or it was told before */
  lost(id: string | undefined, generation: number, reason: LossCode): void {
    this.seen += 1
    if (id !== undefined) this.#record(id, generation, reason)
    this.#explain(id, reason)
    if (id !== undefined) this.#spare(id)
  }

  /**
   * A host told that a session could not be opened because its worker or cell had ended.
   *
   * @throws {Violation} where there was no fault of late
   */
  refused(id: string | undefined, now = performance.now()): void {
    if (now - this.#struckAt > aftermath * 1000) {
      throw new Violation(
        `a session of ${id ?? 'a sandbox without an id'} could not be opened, and no fault explains it`,
      )
    }
    if (id !== undefined) this.#refusals.set(id, (this.#refusals.get(id) ?? 0) + 1)
  }

  /**
   * A call was rejected for a lost session, or for one that could not be opened.
   *
   * @throws {Violation} where the host told of no such loss, or an earlier call has told it before this one was made
   */
  told(id: string, generation: number, reason: LossCode, madeAt: number): void {
    const loss = this.#losses.get(id)?.find((one) => one.generation === generation && one.reason === reason)
    const refusals = this.#refusals.get(id) ?? 0
    if (loss !== undefined && (loss.toldAt === undefined || madeAt <= loss.toldAt)) {
      loss.toldAt ??= performance.now()
    } else if (refusals > 0) {
      this.#refusals.set(id, refusals - 1)
    } else {
      const what = loss === undefined ? 'its host did not tell of it' : 'an earlier call has told of it'
      throw new Violation(`a call of ${id} told of a loss (${reason}, generation ${generation}), but ${what}`)
    }
  }

  /** A call was interrupted: it tells of the session that was reset for it, if there is one. */
  interrupted(id: string, generation: number): void {
    const loss = this.#losses.get(id)?.find((one) => one.generation === generation)
    if (loss?.reason === 'RESET') loss.toldAt ??= performance.now()
  }

  /** A call succeeded that was made at this generation. @throws {Violation} where a loss before it was never told */
  succeeded(id: string, generation: number): void {
    const untold = this.#losses
      .get(id)
      ?.find((loss) => loss.generation <= generation && loss.toldAt === undefined)
    if (untold === undefined) return
    throw new Violation(
      `a call of ${id} succeeded in session ${generation}, but no call told that an earlier one was lost (${untold.reason})`,
    )
  }

  /** A sandbox was closed or dropped: nothing more is told of it. */
  left(id: string): void {
    this.#losses.delete(id)
    this.#refusals.delete(id)
    this.#spare(id)
  }

  /** @throws {Violation} where a fault was not followed by the losses that it must bring about */
  check(now = performance.now()): void {
    this.#forgetSpent()
    for (const { awaited, reasons, since } of this.#strikes) {
      if (awaited.size === 0 || now - since <= patience * 1000) continue
      throw new Violation(
        `the fault ${reasons.join(' or ')} was not seen in ${patience} s by ${[...awaited].join(', ')}`,
      )
    }
  }

  #record(id: string, generation: number, reason: LossCode): void {
    const losses = this.#losses.get(id) ?? []
    if (losses.some((loss) => loss.generation === generation)) {
      throw new Violation(`the loss of session ${generation - 1} of ${id} was told twice by its host`)
    }
    losses.push({ generation, reason, toldAt: undefined })
    this.#losses.set(id, losses)
  }

  #explain(id: string | undefined, reason: LossCode): void {
    const strikes = [...this.#strikes].filter(({ reasons }) => reasons.includes(reason))
    if (strikes.some(({ awaited }) => id !== undefined && awaited.delete(id))) return
    this.injected += 1
    if (strikes.some(({ mayHit }) => mayHit?.(id) ?? false)) return
    throw new Violation(`${id ?? 'a sandbox without an id'} was lost (${reason}), and no fault explains it`)
  }

  /** What else was to end the session of a sandbox comes too late. */
  #spare(id: string): void {
    for (const { awaited } of this.#strikes) if (awaited.delete(id)) this.injected -= 1
    this.#forgetSpent()
  }

  #forgetSpent(): void {
    for (const strike of this.#strikes) {
      if (strike.awaited.size === 0 && strike.mayHit === undefined) this.#strikes.delete(strike)
    }
  }
}
