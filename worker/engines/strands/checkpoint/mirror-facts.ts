import { inBatches } from '../../../host-files/batches.ts'
import { digestOf } from '../../../host-files/digest.ts'
import { type BindName, bindKey, MARKS_KEY } from '../../../host-files/facts/bind-key.ts'
import { writeKnown } from '../../../host-files/facts/known-fact.ts'
import { writeMarks } from '../../../host-files/facts/marks-fact.ts'
import { writeOwn } from '../../../host-files/facts/own-fact.ts'
import { ancestorsOf } from '../../../host-files/paths.ts'
import type { SandboxEntry } from '../../../host-files/types.ts'
import type { Mirror } from '../mirror/mirror.ts'
import { lookAtPlace } from '../mirror/sandbox/look.ts'
import type { Mirroring } from '../mirroring.ts'
import type { Fact } from './told.ts'

/**
 * What a session has of its mirrors and copies, as facts: what it did to them, and what it has there that the host has not.
 *
 * @param isKnown - whether the host has the bytes of a digest: they are not kept.
 */
export async function bindFacts(mirroring: Mirroring, isKnown: (digest: string) => boolean): Promise<Fact[]> {
  await mirroring.note()
  const { mirrors, log } = mirroring
  const facts: Fact[] = []
  for (const mirror of mirrors) facts.push(...(await factsOf(mirror, isKnown)))
  const { state } = log
  return state === undefined ? facts : [...facts, { key: MARKS_KEY, value: writeMarks(state) }]
}

/** The name of a mirror in facts. */
export function bindNameOf({ setup: { live, place } }: Mirror): BindName {
  return { mode: live ? 'direct' : 'copy', destination: place.root }
}

async function factsOf(mirror: Mirror, isKnown: (digest: string) => boolean): Promise<Fact[]> {
  const { ledger } = mirror
  const name = bindNameOf(mirror)
  const facts: Fact[] = []
  const own = new Map<string, SandboxEntry | undefined>()
  for (const rel of new Set([
    ...ledger.pendingPaths(),
    ...ledger.withheld.keys(),
    ...ledger.journalPaths(),
  ])) {
    const state = ledger.stateOf(rel)
    if (state === undefined) continue
    facts.push({ key: bindKey({ ...name, kind: 'known', rel }), value: writeKnown(state) })
    if (state.pending !== undefined) own.set(rel, state.known?.sandbox)
  }
  for (const [rel, entry] of await leftOut(mirror)) own.set(rel, entry)
  const read = await inBatches(
    [...own],
    ([, entry]) => entry?.size ?? 0,
    async ([rel, entry]): Promise<Fact> => {
      const fact = { key: bindKey({ ...name, kind: 'own', rel }), value: writeOwn(ownOf(entry)) }
      if (entry?.kind !== 'file') return fact
      const bytes = await mirror.read(rel)
      const digest = digestOf(bytes)
      // Memory of the addon cannot be transferred.
      return { ...fact, digest, ...(isKnown(digest) ? {} : { bytes: new Uint8Array(bytes) }) }
    },
  )
  return [...facts, ...read]
}

function ownOf(entry: SandboxEntry | undefined): Parameters<typeof writeOwn>[0] {
  if (entry === undefined) return { kind: 'gone' }
  const { kind, mode, special = 0, target = '' } = entry
  return { kind, mode: mode + special, modified: 0, target, isOwn: false }
}

/** What the sandbox has at excluded paths. */
async function leftOut({ shell, setup }: Mirror): Promise<ReadonlyMap<string, SandboxEntry>> {
  const { place, isExcluded, isInner, hasPatterns } = setup
  if (!hasPatterns || place.isFile) return new Map()
  const { entries } = await lookAtPlace(shell, place, [], isInner, () => false)
  const isLeftOut = (rel: string) => {
    const isDirectory = entries.get(rel)?.kind === 'directory'
    return isExcluded(rel, isDirectory) || ancestorsOf(rel).some((above) => isExcluded(above, true))
  }
  return new Map([...entries].filter(([rel]) => isLeftOut(rel)))
}
