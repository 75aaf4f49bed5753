import { readKnown, readSide, writeKnown, writeSide } from '../../../host-files/facts/known-fact.ts'
import { readOwn, writeOwn } from '../../../host-files/facts/own-fact.ts'
import { wrongFact } from '../../../host-files/facts/values.ts'
import { type HostSide, isDirectoryState, type LedgerState } from '../../../host-files/ledger.ts'
import { settledState } from '../../../host-files/meanwhile.ts'
import type { HostTree } from '../../../host-files/tree.ts'
import type { Conflict } from '../../../host-files/types.ts'
import type { BindFact, BindMemory } from './bind-memory.ts'
import type { Copied, CopiedFiles } from './copied-files.ts'
import type { CopyRecord } from './copy-record.ts'

/** What a copy keeps: what the sandbox has of it in memory, and what the host had when it read or changed it. */
export class CopyMemory implements BindMemory {
  readonly #tree: HostTree
  readonly #own: CopiedFiles
  readonly #record: CopyRecord

  constructor(tree: HostTree, own: CopiedFiles, record: CopyRecord) {
    this.#tree = tree
    this.#own = own
    this.#record = record
  }

  take(): readonly BindFact[] {
    const { ledger } = this.#record
    return [
      ...ledger.takeTouched().map((rel): BindFact => {
        const state = ledger.stateOf(rel)
        return { kind: 'known', rel, value: state && writeKnown(state) }
      }),
      ...this.#own.takeTouched().map((rel) => ownFact(rel, this.#own.at(rel))),
      ...this.#record.takeRead().map((rel): BindFact => {
        const side = this.#record.readAt(rel)
        return { kind: 'read', rel, value: side && writeSide(side) }
      }),
    ]
  }

  restore({ kind, rel, value, bytes }: BindFact & { readonly value: string }): void {
    if (kind === 'own') this.#own.set(rel, copiedOf(this.#tree, rel, value, bytes))
    else if (kind === 'read') this.#restoreRead(rel, readSide(value))
    else this.#restoreKnown(rel, readKnown(value))
  }

  /** What the host changed is a conflict when the changes are applied. */
  restored(): readonly Conflict[] {
    this.#record.ledger.takeTouched()
    this.#record.takeRead()
    this.#own.takeTouched()
    return []
  }

  #restoreRead(rel: string, side: HostSide): void {
    if (!this.#record.isExcluded(rel, side.host?.kind === 'directory')) this.#record.remember(rel, side)
  }

  /** What is excluded now never reaches the host. */
  #restoreKnown(rel: string, state: LedgerState): void {
    if (!this.#record.isExcluded(rel, isDirectoryState(state)))
      this.#record.ledger.restore(rel, settledState(state, this.#tree, rel))
  }
}

function ownFact(rel: string, entry: Copied | undefined): BindFact {
  if (entry === undefined) return { kind: 'own', rel, value: undefined }
  const { kind } = entry
  if (kind === 'gone') return { kind: 'own', rel, value: writeOwn({ kind }) }
  const modified = entry.modified.getTime()
  const value = writeOwn({
    kind,
    mode: kind === 'link' ? 0o777 : entry.mode,
    modified: Number.isFinite(modified) ? modified : 0,
    target: kind === 'link' ? entry.target : '',
    isOwn: kind === 'directory' && entry.isOwn,
  })
  return kind === 'file' ? { kind: 'own', rel, value, bytes: entry.bytes } : { kind: 'own', rel, value }
}

function copiedOf(tree: HostTree, rel: string, value: string, bytes: Uint8Array | undefined): Copied {
  const entry = readOwn(value)
  const { kind } = entry
  if (rel === '' && kind !== tree.kind) throw wrongFact()
  if (kind === 'gone') return { kind }
  const { mode, target, isOwn } = entry
  const modified = new Date(entry.modified)
  if (kind === 'link') return { kind, target, modified }
  if (kind === 'directory') return { kind, mode, modified, isOwn }
  if (bytes === undefined) throw wrongFact()
  return { kind, mode, modified, bytes }
}
