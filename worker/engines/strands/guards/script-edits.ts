import type { ScriptVisitor } from './script-visitor.ts'

/** A replacement of `text.slice(start, end)`. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** A guard that works on the text of a command before it runs. */
export interface ScriptGuard {
  /** A cheap test, linear in the length: false means that the guard has nothing to do. */
  applies(command: string): boolean
  /** Listens to the script and hands in its edits. */
  listen(text: string, edit: (edit: Edit) => void): ScriptVisitor
}

/** Applies edits in the order of the text; one inside another is dropped. Null if two overlap otherwise. */
export function applyEdits(text: string, edits: Edit[]): string | null {
  edits.sort(
    (a, b) => a.start - b.start || Number(b.start === b.end) - Number(a.start === a.end) || b.end - a.end,
  )
  const parts: string[] = []
  let at = 0
  for (const { start, end, text: replacement } of edits) {
    if (end <= at && start < at) continue
    if (start < at) return null
    parts.push(text.slice(at, start), replacement)
    at = end
  }
  parts.push(text.slice(at))
  return parts.join('')
}
