import { randomUUID } from 'node:crypto'
import type { ChangeReport } from '../../src/contract/shell-api.ts'
import { FarError } from '../service/far-error.ts'
import type { Tracked } from './tracked.ts'

/** The changes of all mirrors of a session. A mark is valid in this session only. */
export class ChangeLog {
  readonly #mirrors: readonly Tracked[]
  readonly #session = randomUUID()
  /** The number of the last mark. All mirrors have the same. */
  #epoch = 0

  constructor(mirrors: readonly Tracked[]) {
    this.#mirrors = mirrors
  }

  /** The number of a mark; 0 without one. @throws FarError `INVALID_CONFIG` if it is not from a report of this session. */
  check(mark: string | undefined): number {
    if (mark === undefined) return 0
    const [session, epoch = ''] = mark.split(':')
    const number = /^\d+$/.test(epoch) ? Number(epoch) : Number.POSITIVE_INFINITY
    if (session === this.#session && number <= this.#epoch) return number
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
    for (const { ledger } of this.#mirrors) this.#epoch = ledger.markChanges()
    return { mark: `${this.#session}:${this.#epoch}`, changes }
  }
}
