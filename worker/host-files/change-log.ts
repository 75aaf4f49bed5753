import { randomUUID } from 'node:crypto'
import type { ChangeReport } from '../../src/contract/shell-api.ts'
import { FarError } from '../service/far-error.ts'
import type { Tracked } from './tracked.ts'

/** Marks that are good: for each session its last one. */
export interface MarksState {
  /** The number of the last mark. */
  readonly epoch: number
  /** Sessions that gave marks, the last one last, and the highest number of each. */
  readonly sessions: readonly (readonly [id: string, epoch: number])[]
}

/** Sessions before this one whose marks are good. */
const MOST_SESSIONS = 100

/** The changes of all mirrors of a session. A mark is valid in this session and in what goes on from it. */
export class ChangeLog {
  readonly #mirrors: readonly Tracked[]
  readonly #session = randomUUID()
  #former: MarksState['sessions'] = []
  #begin = 0
  /** The number of the last mark. All mirrors have the same. */
  #epoch = 0

  constructor(mirrors: readonly Tracked[]) {
    this.#mirrors = mirrors
  }

  /** What makes the marks good in a later session; `undefined` before the first mark. */
  get state(): MarksState | undefined {
    if (this.#epoch === 0) return undefined
    return { epoch: this.#epoch, sessions: this.#sessions.slice(-MOST_SESSIONS) }
  }

  /** The session goes on from another one. */
  restore({ epoch, sessions }: MarksState): void {
    this.#former = sessions
    this.#begin = epoch
    this.#epoch = epoch
    for (const { ledger } of this.#mirrors) ledger.restoreEpoch(epoch)
  }

  /** The number of a mark; 0 without one. @throws FarError `INVALID_CONFIG` if it is not from a report of this session. */
  check(mark: string | undefined): number {
    if (mark === undefined) return 0
    const [session, epoch = ''] = mark.split(':')
    const number = /^\d+$/.test(epoch) ? Number(epoch) : Number.POSITIVE_INFINITY
    if (this.#sessions.some(([id, last]) => id === session && number <= last)) return number
    throw new FarError({
      code: 'INVALID_CONFIG',
      field: 'since',
      message: 'since must be a mark of an earlier report of this session. Leave it out for all since open.',
    })
  }

  /** What changed since a mark, and a mark of this moment. */
  report(since: number): ChangeReport {
    const changes = this.#mirrors.flatMap(({ ledger, setup: { place } }) =>
      ledger.changesSince(since).map(({ path, ...change }) => ({
        bind: place.root,
        path: place.path(path),
        ...change,
      })),
    )
    changes.sort((a, b) => (a.path < b.path ? -1 : 1))
    this.#epoch += 1
    for (const { ledger } of this.#mirrors) ledger.markChanges()
    return { mark: `${this.#session}:${this.#epoch}`, changes }
  }

  get #sessions(): MarksState['sessions'] {
    return this.#epoch === this.#begin ? this.#former : [...this.#former, [this.#session, this.#epoch]]
  }
}
