import { digestOf } from '../../../host-files/digest.ts'
import type { OwnEntry } from '../../../host-files/facts/own-fact.ts'
import { wrongFact } from '../../../host-files/facts/values.ts'
import { isDirectoryState, type LedgerState } from '../../../host-files/ledger.ts'
import { isChangedSince, settledState } from '../../../host-files/meanwhile.ts'
import { ancestorsOf } from '../../../host-files/paths.ts'
import type { Conflict, SandboxEntry } from '../../../host-files/types.ts'
import type { Mirror } from '../mirror/mirror.ts'
import { bringIn, type Incoming } from '../mirror/sandbox/writer.ts'
import { refusedPath } from './restore-files.ts'

/** What a former session had of one mirror, by path. */
export interface MirrorFacts {
  readonly known: Map<string, LedgerState>
  readonly own: Map<string, OwnState>
}

/** What it had in the sandbox alone. */
export interface OwnState {
  readonly entry: OwnEntry
  /** Of a file. */
  readonly bytes: Uint8Array | undefined
}

/** A directory that leads to what the sandbox has, and that the host has not any more. */
const WAY = { kind: 'directory', mode: 0o755 } as const

/**
 * Puts what a former session had in the sandbox alone over what the host has now.
 *
 * @returns what the host changed since, where that session had changed it
 * @throws FarError naming a path that the sandbox does not take
 */
export async function restoreMirror(mirror: Mirror, facts: MirrorFacts): Promise<readonly Conflict[]> {
  const own = new Map([...facts.own].filter(([rel, { entry }]) => hasPlace(mirror, rel, entry.kind)))
  await bringOwn(mirror, own)
  const conflicts: Conflict[] = []
  for (const [rel, state] of facts.known) {
    // What is excluded now never reaches the host.
    if (isLeftOut(mirror, rel, state)) continue
    mirror.ledger.restore(rel, stateNow(mirror, rel, state, own.get(rel)))
    const isSettled = mirror.setup.live && state.pending === undefined
    const side = state.known ?? { host: undefined }
    if (isSettled && isChangedSince(side, mirror.setup.tree, rel)) conflicts.push({ path: rel })
  }
  return conflicts
}

/** Whether the sandbox may have this there: other binds, and what leads to them, stay as they are. */
function hasPlace({ setup }: Mirror, rel: string, kind: string): boolean {
  const { isInner, ways, place } = setup
  if (place.isFile ? rel !== '' || kind === 'directory' : rel === '' && kind !== 'directory')
    throw wrongFact()
  return !isInner(rel, kind === 'directory') && (kind === 'directory' || !ways.has(rel))
}

function isLeftOut({ setup: { isExcluded } }: Mirror, rel: string, state: LedgerState): boolean {
  return isExcluded(rel, isDirectoryState(state)) || ancestorsOf(rel).some((above) => isExcluded(above, true))
}

async function bringOwn(mirror: Mirror, own: ReadonlyMap<string, OwnState>): Promise<void> {
  const { ledger, setup, shell, stamp } = mirror
  const incoming = new Map<string, Incoming>()
  for (const [rel, { entry, bytes }] of own) {
    const before = ledger.sandboxAt(rel)
    if (entry.kind === 'gone') {
      if (before !== undefined) incoming.set(rel, { rel, before, after: undefined })
      continue
    }
    for (const above of ancestorsOf(rel)) {
      const there = ledger.sandboxAt(above)
      if (own.has(above) || there?.kind === 'directory' || incoming.has(above)) continue
      incoming.set(above, { rel: above, before: there, after: WAY })
    }
    incoming.set(rel, { rel, before, after: afterOf(entry, bytes) })
  }
  if (incoming.size === 0) return
  const modeOf = (rel: string) => ledger.sandboxAt(rel)?.mode
  const [refused] = await bringIn(shell, setup.place, [...incoming.values()], modeOf, new Map())
  if (refused !== undefined) throw refusedPath(mirror.path(refused))
  stamp.recordTouched()
  for (const { rel, after } of incoming.values()) {
    if (after?.kind !== 'directory' || ledger.sandboxAt(rel)?.kind !== 'directory') ledger.forget(rel)
    if (after === WAY) ledger.recordInitial(rel, { ...WAY, size: 0, shown: '' })
  }
}

function afterOf(
  entry: Exclude<OwnState['entry'], { readonly kind: 'gone' }>,
  bytes: Uint8Array | undefined,
): Incoming['after'] {
  const { kind, mode, target } = entry
  if (kind === 'link') return { kind, target }
  if (kind === 'directory') return { kind, mode }
  return { kind, mode, size: bytes?.byteLength ?? 0, read: () => bytes }
}

/** What the ledger has of a path: what the host had, and what the sandbox has now. */
function stateNow(
  { setup }: Mirror,
  rel: string,
  state: LedgerState,
  own: OwnState | undefined,
): LedgerState {
  const { events, known, pending } = state
  const isPending = pending !== undefined && known !== undefined && own !== undefined
  if (!isPending) return { events, known: undefined, pending: undefined }
  const { host, digest } = known
  const side = { host, ...(digest === undefined ? {} : { digest }) }
  const { bytes } = own
  const content = bytes === undefined ? {} : { content: digestOf(bytes) }
  const now = { ...side, ...content, sandbox: sandboxEntry(own) }
  return settledState({ events, known: now, pending }, setup.tree, rel)
}

function sandboxEntry({ entry, bytes }: OwnState): SandboxEntry | undefined {
  if (entry.kind === 'gone') return undefined
  const { kind, mode, target } = entry
  const special = mode & 0o7000
  return {
    kind,
    mode: mode & 0o777,
    size: bytes?.byteLength ?? 0,
    shown: '',
    ...(special === 0 ? {} : { special }),
    ...(kind === 'link' ? { target } : {}),
  }
}
