import type { MirrorRecord } from '../../../../src/contract/shell-record.ts'
import { Ledger } from '../../../host-files/ledger.ts'
import type { Tracked } from '../../../host-files/tracked.ts'
import type { HostTree } from '../../../host-files/tree.ts'
import type { NativeShell } from '../native-shell.ts'
import type { Place } from './sandbox/place.ts'
import { Stamp } from './sandbox/stamp.ts'

/** A host directory, or file, and its place in a sandbox. */
export interface MirrorSetup {
  readonly source: string
  readonly readonly: boolean
  /** Both sides are made equal at every call. Otherwise a copy: its changes are written to the host on demand. */
  readonly live: boolean
  readonly place: Place
  readonly tree: HostTree
  readonly isExcluded: (rel: string, isDirectory: boolean) => boolean
  /** Whether a path is the place of another bind, or in it. */
  readonly isInner: (rel: string, isDirectory: boolean) => boolean
  /** Whether more than the places of other binds is excluded. */
  readonly hasPatterns: boolean
  /** The directories that lead to places of other binds. They are never removed: the files of those binds would go too. */
  readonly ways: ReadonlySet<string>
  readonly bounds: MirrorRecord
}

/** One bind that is mirrored: what the steps (`bringHostChanges`, `noteChanges`, `writeToHost`) work on. */
export class Mirror implements Tracked {
  readonly setup: MirrorSetup
  readonly shell: NativeShell
  readonly ledger = new Ledger()
  readonly stamp: Stamp
  #isStopped = false

  constructor(setup: MirrorSetup, shell: NativeShell) {
    this.setup = setup
    this.shell = shell
    this.stamp = new Stamp(shell, setup.place.stamp)
  }

  /** The absolute path of `rel` in the sandbox. */
  path(rel: string): string {
    return this.setup.place.path(rel)
  }

  /** The bytes of the sandbox's file. */
  read(rel: string): Promise<Uint8Array> {
    return this.shell.readFile(this.path(rel))
  }

  /** Whether nothing may be written to the host any more. */
  get isStopped(): boolean {
    return this.#isStopped
  }

  /** From now on nothing is written to the host. */
  stop(): void {
    this.#isStopped = true
  }
}
