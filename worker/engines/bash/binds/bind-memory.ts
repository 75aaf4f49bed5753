import type { BindFactKind } from '../../../host-files/facts/bind-key.ts'
import type { Conflict } from '../../../host-files/types.ts'

/** A fact of a bind, as a checkpoint has it. */
export interface BindFact {
  readonly kind: BindFactKind
  readonly rel: string
  /** `undefined`: there is none any more. */
  readonly value: string | undefined
  /** Of a file. Nobody writes to them. */
  readonly bytes?: Uint8Array
}

/** What a bind has that a later session needs, as facts. */
export interface BindMemory {
  /** What has changed since the last time. */
  take(): readonly BindFact[]
  /** Takes a fact of a former session. @throws {TypeError} where it is not of this version */
  restore(fact: BindFact & { readonly value: string }): void
  /** All facts are there. @returns what the host changed since, where the former session had changed it */
  restored(): readonly Conflict[]
}
