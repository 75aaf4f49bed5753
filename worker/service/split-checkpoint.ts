import {
  CHECKPOINT_CONTENTS,
  type CheckpointContent,
  type CheckpointEntry,
  type CheckpointPart,
} from '../../src/contract/checkpoint.ts'

/** How many entries, and characters of them, a part has at most, unless a single one is longer. */
const MOST_ENTRIES = 10_000
const MOST_TEXT = 4 * 1024 * 1024

/** A checkpoint as parts that a message can carry. */
export function splitCheckpoint(
  contents: readonly CheckpointContent[],
  entries: readonly CheckpointEntry[],
  forgotten: readonly string[],
): CheckpointPart[] {
  const parts: CheckpointPart[] = []
  for (let at = 0; at < contents.length; at += CHECKPOINT_CONTENTS)
    parts.push({
      contents: contents.slice(at, at + CHECKPOINT_CONTENTS),
      entries: [],
      forgotten: [],
      last: false,
    })
  let chosen: CheckpointEntry[] = []
  let text = 0
  for (const entry of entries) {
    chosen.push(entry)
    text += entry.key.length + entry.value.length
    if (chosen.length < MOST_ENTRIES && text < MOST_TEXT) continue
    parts.push({ contents: [], entries: chosen, forgotten: [], last: false })
    chosen = []
    text = 0
  }
  const [first, ...others] = parts
  if (first !== undefined && others.length === 0 && first.entries.length === 0)
    return [{ contents: first.contents, entries: chosen, forgotten, last: true }]
  return [...parts, { contents: [], entries: chosen, forgotten, last: true }]
}
