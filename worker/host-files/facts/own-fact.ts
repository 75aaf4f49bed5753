import type { EntryKind } from '../types.ts'
import { kindOf } from './known-fact.ts'
import { countOf, fieldsOf, isText, wrongFact } from './values.ts'

const LAST_TIME = 8.64e15

/** What a sandbox has at a path of a bind and the host has not. The bytes of a file are beside it. */
export type OwnEntry =
  | { readonly kind: 'gone' }
  | {
      readonly kind: EntryKind
      /** Permission bits, with setuid, setgid and sticky. */
      readonly mode: number
      /** Milliseconds since the epoch. */
      readonly modified: number
      /** Of a link. */
      readonly target: string
      /** Of a directory: nothing of the host is in it. */
      readonly isOwn: boolean
    }

export function writeOwn(entry: OwnEntry): string {
  return JSON.stringify(entry)
}

/** @throws {TypeError} where a checkpoint holds something else */
export function readOwn(json: string): OwnEntry {
  const { kind, mode, modified, target, isOwn } = fieldsOf(JSON.parse(json))
  if (kind === 'gone') return { kind }
  if (typeof modified !== 'number' || Math.abs(modified) > LAST_TIME) throw wrongFact()
  if (!isText(target) || target.includes('\0') || typeof isOwn !== 'boolean') throw wrongFact()
  return { kind: kindOf(kind), mode: countOf(mode, 0o7777), modified, target, isOwn }
}
