import type { JournalEvent } from '../journal.ts'
import type { Extent, HostSide, Known, LedgerState } from '../ledger.ts'
import type { EntryKind, HostEntry, SandboxEntry } from '../types.ts'
import { countOf, fieldsOf, isText, optionalText, wrongFact } from './values.ts'

const MODE = 0o777
const SPECIAL = 0o7000
const WHOLE_MODE = MODE | SPECIAL

/** What a ledger has of a path, as the value of a fact. */
export function writeKnown({ events, known, pending }: LedgerState): string {
  return JSON.stringify({
    events: events.map(({ epoch, kind, change }) => [epoch, kind, change]),
    ...(known === undefined
      ? {}
      : { ...writtenSide(known), sandbox: known.sandbox && { ...known.sandbox, shown: undefined }, pending }),
  })
}

/** @throws {TypeError} where a checkpoint holds something else */
export function readKnown(json: string): LedgerState {
  const { events, sandbox, pending, ...side } = fieldsOf(JSON.parse(json))
  if (!Array.isArray(events)) throw wrongFact()
  const isKnown = sandbox !== undefined || side['host'] !== undefined
  const known: Known = { ...sideOf(side), sandbox: sandbox === undefined ? undefined : sandboxOf(sandbox) }
  return {
    events: events.map(eventOf),
    known: isKnown ? known : undefined,
    pending: pending === undefined ? undefined : extentOf(pending),
  }
}

/** What the host had, as the value of a fact. */
export function writeSide(side: HostSide): string {
  return JSON.stringify(writtenSide(side))
}

/** @throws {TypeError} where a checkpoint holds something else */
export function readSide(json: string): HostSide {
  return sideOf(fieldsOf(JSON.parse(json)))
}

function writtenSide({ host, digest, content }: HostSide): object {
  if (host === undefined) return { digest, content }
  const { kind, mode, size, inode, modified, changed, fresh, target } = host
  const written = [kind, mode, size, String(inode), String(modified), String(changed), fresh, target]
  return { host: written, digest, content }
}

function sideOf({ host, digest, content }: Readonly<Record<string, unknown>>): HostSide {
  const digests = { digest: optionalText(digest), content: optionalText(content) }
  return {
    host: host === undefined ? undefined : hostOf(host),
    ...(digests.digest === undefined ? {} : { digest: digests.digest }),
    ...(digests.content === undefined ? {} : { content: digests.content }),
  }
}

function hostOf(value: unknown): HostEntry {
  if (!Array.isArray(value)) throw wrongFact()
  const [kind, mode, size, inode, modified, changed, fresh, target]: unknown[] = value
  if (typeof fresh !== 'boolean') throw wrongFact()
  const entry = {
    kind: kindOf(kind),
    mode: countOf(mode, MODE),
    size: countOf(size),
    inode: bigOf(inode),
    modified: bigOf(modified),
    changed: bigOf(changed),
    fresh,
  }
  const text = optionalText(target ?? undefined)
  return text === undefined ? entry : { ...entry, target: text }
}

function sandboxOf(value: unknown): SandboxEntry {
  const { kind, mode, special, size, target } = fieldsOf(value)
  const text = optionalText(target)
  return {
    kind: kindOf(kind),
    mode: countOf(mode, WHOLE_MODE),
    size: countOf(size),
    shown: '',
    ...(special === undefined ? {} : { special: countOf(special, SPECIAL) }),
    ...(text === undefined ? {} : { target: text }),
  }
}

function eventOf(value: unknown): JournalEvent {
  if (!Array.isArray(value)) throw wrongFact()
  const [epoch, kind, change]: unknown[] = value
  if (change !== 'added' && change !== 'changed' && change !== 'removed' && change !== 'restored')
    throw wrongFact()
  return { epoch: countOf(epoch), kind: kindOf(kind), change }
}

function extentOf(value: unknown): Extent {
  if (value !== 'all' && value !== 'mode') throw wrongFact()
  return value
}

/** @throws {TypeError} for anything else */
export function kindOf(value: unknown): EntryKind {
  if (value !== 'file' && value !== 'directory' && value !== 'link') throw wrongFact()
  return value
}

function bigOf(value: unknown): bigint {
  if (!isText(value) || !/^-?\d{1,20}$/.test(value)) throw wrongFact()
  return BigInt(value)
}
