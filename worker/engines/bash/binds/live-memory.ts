import { readKnown, writeKnown } from '../../../host-files/facts/known-fact.ts'
import { wrongFact } from '../../../host-files/facts/values.ts'
import { type HostSide, isDirectoryState, type Ledger } from '../../../host-files/ledger.ts'
import { isChangedSince, sideAt } from '../../../host-files/meanwhile.ts'
import type { HostTree } from '../../../host-files/tree.ts'
import type { Conflict } from '../../../host-files/types.ts'
import type { BindFact, BindMemory } from './bind-memory.ts'

/** What a direct bind keeps: what the sandbox did, and what it left on the host. */
export class LiveMemory implements BindMemory {
  readonly #tree: HostTree
  readonly #ledger: Ledger
  readonly #isExcluded: (rel: string, isDirectory: boolean) => boolean
  readonly #left = new Map<string, HostSide>()

  constructor(tree: HostTree, ledger: Ledger, isExcluded: (rel: string, isDirectory: boolean) => boolean) {
    this.#tree = tree
    this.#ledger = ledger
    this.#isExcluded = isExcluded
  }

  take(): readonly BindFact[] {
    return this.#ledger.takeTouched().map((rel) => {
      const state = this.#ledger.stateOf(rel)
      if (state === undefined) return { kind: 'known', rel, value: undefined }
      const known = { ...sideAt(this.#tree, rel), sandbox: undefined }
      return { kind: 'known', rel, value: writeKnown({ ...state, known }) }
    })
  }

  restore({ kind, rel, value }: BindFact & { readonly value: string }): void {
    if (kind !== 'known') throw wrongFact()
    const state = readKnown(value)
    if (this.#isExcluded(rel, isDirectoryState(state))) return
    this.#ledger.restore(rel, { events: state.events, known: undefined, pending: undefined })
    this.#left.set(rel, state.known ?? { host: undefined })
  }

  restored(): readonly Conflict[] {
    this.#ledger.takeTouched()
    const changed = [...this.#left].filter(([rel, side]) => isChangedSince(side, this.#tree, rel))
    this.#left.clear()
    for (const [rel] of changed) this.#ledger.touch(rel)
    return changed.map(([path]) => ({ path }))
  }
}
