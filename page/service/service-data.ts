import type { InferOutput } from 'valibot'
import type { appliedSchema, changesSchema } from '../../src/protocol/file-schemas.ts'

/** What a sandbox did to its binds. */
export type ChangesData = InferOutput<typeof changesSchema>
/** One change of them. */
export type ChangeData = ChangesData['changes'][number]
/** What was written to the host. */
export type AppliedData = InferOutput<typeof appliedSchema>

/** Who the token is of, and what there is. */
export interface SelfData {
  readonly name: string
  readonly scopes: readonly ('read' | 'operate' | 'metrics')[]
  readonly labels: Readonly<Record<string, string>>
  readonly templates: readonly { readonly name: string; readonly shell: string }[]
  /** Names the process of the service. */
  readonly instance: string
}

/** Figures of the host that the page shows. */
export interface StatsData {
  readonly sandboxes: number
  readonly hibernated: number
  /** Sandboxes that wait for a place. */
  readonly queued: number
  /** Sandboxes that may run commands now. */
  readonly running: number
  /** Sandboxes whose commands wait for others. */
  readonly waiting: number
  readonly cells: number
  readonly workers: number
  /** Sandboxes with a session. */
  readonly leased: number
  readonly lost: number
  /** Calls that have settled. */
  readonly calls: number
  readonly errors: Readonly<Record<string, number>>
}
