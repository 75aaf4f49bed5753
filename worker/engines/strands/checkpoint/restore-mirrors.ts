import type { CheckpointEntry } from '../../../../src/contract/checkpoint.ts'
import type { ConflictData } from '../../../../src/contract/shell-api.ts'
import { byPath, conflictData } from '../../../host-files/call-report.ts'
import { type BindKey, MARKS_KEY, readBindKey } from '../../../host-files/facts/bind-key.ts'
import { readKnown } from '../../../host-files/facts/known-fact.ts'
import { readMarks } from '../../../host-files/facts/marks-fact.ts'
import { readOwn } from '../../../host-files/facts/own-fact.ts'
import { unbound } from '../../../host-files/facts/unbound.ts'
import { wrongFact } from '../../../host-files/facts/values.ts'
import type { Mirror } from '../mirror/mirror.ts'
import type { Mirroring } from '../mirroring.ts'
import { bindNameOf } from './mirror-facts.ts'
import { type MirrorFacts, type OwnState, restoreMirror } from './restore-mirror.ts'

/**
 * Gives the mirrors and copies of a session, which have what the host has, what a former one had of them.
 *
 * @returns what the host changed since, where the former session had changed it
 * @throws {TypeError} where a fact is not of this version
 * @throws FarError where there are changes of a bind that the sandbox has not, or that it does not take
 */
export async function restoreMirrors(
  mirroring: Mirroring | undefined,
  entries: readonly CheckpointEntry[],
  contents: ReadonlyMap<number, Uint8Array>,
): Promise<readonly ConflictData[]> {
  const { mirrors = [], log } = mirroring ?? {}
  const facts = new Map<Mirror, MirrorFacts>()
  for (const { key, value, content } of entries) {
    if (key === MARKS_KEY) {
      log?.restore(readMarks(value))
      continue
    }
    const bind = readBindKey(key)
    const mirror = mirrors.find((one) => isOf(one, bind))
    if (mirror === undefined) {
      if (bind.kind === 'own') throw unbound(bind)
      continue
    }
    if (!bind.rel.isWellFormed()) throw wrongFact()
    const { known, own } = facts.get(mirror) ?? { known: new Map(), own: new Map() }
    facts.set(mirror, { known, own })
    if (bind.kind === 'known') known.set(bind.rel, readKnown(value))
    else own.set(bind.rel, ownState(value, content === undefined ? undefined : contents.get(content)))
  }
  const conflicts: ConflictData[] = []
  for (const [mirror, each] of facts)
    for (const conflict of await restoreMirror(mirror, each)) conflicts.push(conflictData(mirror, conflict))
  return conflicts.sort(byPath)
}

function isOf(mirror: Mirror, { mode, destination }: BindKey): boolean {
  const name = bindNameOf(mirror)
  return name.mode === mode && name.destination === destination
}

function ownState(value: string, bytes: Uint8Array | undefined): OwnState {
  const entry = readOwn(value)
  if ((entry.kind === 'file') !== (bytes !== undefined)) throw wrongFact()
  return { entry, bytes }
}
