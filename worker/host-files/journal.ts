import type { EntryKind } from './types.ts'

/** What became of a path. */
export type Change = 'added' | 'changed' | 'removed'

/** The net change of a path: a file that was added and removed again is none. */
export interface NetChange {
  readonly path: string
  readonly kind: EntryKind
  readonly change: Change
}

/** `restored`: what was removed is there again, as it was. */
export type Step = Change | 'restored'

/** The net of what the sandbox did to a path in one epoch. */
export interface JournalEvent {
  readonly epoch: number
  readonly kind: EntryKind
  readonly change: Step
}

/** The net of two changes in turn; `undefined` if they undo each other. */
function net(first: Change, then: Step): Change | undefined {
  if (then === 'restored') return first === 'removed' ? undefined : first
  if (first === 'added') return then === 'removed' ? undefined : 'added'
  if (first === 'removed') return then === 'added' ? 'changed' : 'removed'
  return then === 'removed' ? 'removed' : 'changed'
}

/** What a step is where nothing before it counts. */
function alone(step: Step): Change {
  return step === 'restored' ? 'added' : step
}

/**
 * What the sandbox changed, in order. A mark ends an epoch. Of each epoch only the net change of a path is kept, so the
 * journal grows with paths and marks, not with calls.
 */
export class Journal {
  readonly #events = new Map<string, JournalEvent[]>()
  #epoch = 0

  /** Notes one change. */
  add(path: string, kind: EntryKind, change: Step): void {
    const events = this.#events.get(path) ?? []
    const last = events.at(-1)
    if (last?.epoch === this.#epoch) {
      events.pop()
      const both = net(alone(last.change), change)
      if (both !== undefined) events.push({ epoch: this.#epoch, kind, change: both })
    } else events.push({ epoch: this.#epoch, kind, change })
    if (events.length === 0) this.#events.delete(path)
    else this.#events.set(path, events)
  }

  /** The paths that have changed in any epoch. */
  paths(): Iterable<string> {
    return this.#events.keys()
  }

  /** What was noted of a path, in order. */
  at(path: string): readonly JournalEvent[] {
    return this.#events.get(path) ?? []
  }

  /** Takes over what another journal had of a path. */
  restore(path: string, events: readonly JournalEvent[]): void {
    if (events.length > 0) this.#events.set(path, [...events])
  }

  /** Takes over the epoch of another journal. */
  restoreEpoch(epoch: number): void {
    this.#epoch = epoch
  }

  /** Ends the current epoch. @returns its number: `since` returns the changes after it. */
  mark(): number {
    this.#epoch += 1
    return this.#epoch
  }

  /** The net changes since a mark; 0 is the beginning. Sorted by path. */
  since(mark: number): NetChange[] {
    const changes: NetChange[] = []
    for (const [path, events] of this.#events) {
      let change: Change | undefined
      let kind: EntryKind = 'file'
      for (const event of events) {
        if (event.epoch < mark) continue
        change = change === undefined ? alone(event.change) : net(change, event.change)
        kind = event.kind
      }
      if (change !== undefined) changes.push({ path, kind, change })
    }
    return changes.sort((a, b) => (a.path < b.path ? -1 : 1))
  }
}
