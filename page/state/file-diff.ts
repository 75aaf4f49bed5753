import { structuredPatch } from 'diff'
import type { ServiceClient } from '../service/service-client.ts'
import type { ChangeData } from '../service/service-data.ts'

/** Bytes of a file that are compared, at most. */
const mostBytes = 512 * 1024
/** Lines that may differ before a comparison ends, and lines around each that are shown. */
const mostEdits = 4_000
const context = 3

/** One line of a diff, with its numbers. */
export interface DiffLine {
  readonly side: 'old' | 'new' | 'both'
  readonly before: number | undefined
  readonly after: number | undefined
  readonly text: string
}

/** What a file was and is: parts with lines that differ, or why there are none. */
export type FileDiff = { readonly hunks: readonly (readonly DiffLine[])[] } | { readonly reason: string }

/** Compares a file of a sandbox with that of the host. @throws {ServiceError} */
export async function diffOf(
  client: ServiceClient,
  id: string,
  path: string,
  change: ChangeData['change'],
): Promise<FileDiff> {
  if (change !== 'removed' && (await client.size(id, path)) > mostBytes)
    return { reason: 'The file is too large to be compared here.' }
  const before = change === 'added' ? '' : await client.text(id, 'original', path)
  const after = change === 'removed' ? '' : await client.text(id, 'file', path)
  if (before.length > mostBytes) return { reason: 'The file of the host is too large to be compared here.' }
  if (before.includes('\0') || after.includes('\0')) return { reason: 'The file is not text.' }
  const patch = structuredPatch(path, path, before, after, undefined, undefined, {
    context,
    maxEditLength: mostEdits,
  })
  if (patch === undefined) return { reason: 'The files have too little in common to be compared.' }
  if (patch.hunks.length === 0) return { reason: 'The host has the same text.' }
  return { hunks: patch.hunks.map(({ oldStart, newStart, lines }) => numbered(lines, oldStart, newStart)) }
}

function numbered(lines: readonly string[], oldStart: number, newStart: number): readonly DiffLine[] {
  let before = oldStart
  let after = newStart
  return lines.map((line) => {
    const text = line.slice(1)
    if (line.startsWith('-')) return { side: 'old', before: before++, after: undefined, text }
    if (line.startsWith('+')) return { side: 'new', before: undefined, after: after++, text }
    // The last line has no line feed.
    if (line.startsWith('\\')) return { side: 'both', before: undefined, after: undefined, text }
    return { side: 'both', before: before++, after: after++, text }
  })
}
