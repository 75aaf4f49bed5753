import type { SyntaxNode } from 'unbash'
import { refuse } from './refusal.ts'

interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** More than any script that was written by hand has; each replacement looks through them. */
const MOST_EDITS = 10_000

/** A range of the source of a script. */
export interface Range {
  readonly pos: number
  readonly end: number
}

/** What stands between the first and the last character of a range. */
export function within({ pos, end }: Range): Range {
  return { pos: pos + 1, end: end - 1 }
}

/** The source of a script and the replacements in it. A replacement takes the place of those inside it. */
export class Script {
  readonly source: string
  /** Nodes that were simple commands, and are compound ones now. */
  readonly compounded = new Set<SyntaxNode>()
  #edits: Edit[] = []

  constructor(source: string) {
    this.source = source
  }

  get isChanged(): boolean {
    return this.#edits.length > 0
  }

  replace({ pos, end }: Range, text: string): void {
    this.#edits = this.#edits.filter((edit) => edit.start < pos || edit.end > end)
    this.#edits.push({ start: pos, end, text })
    if (this.#edits.length > MOST_EDITS) refuse('a command of this length', 'split it')
  }

  insert(at: number, text: string): void {
    this.#edits.push({ start: at, end: at, text })
  }

  /** The text of a range as it is after the replacements so far. */
  text({ pos, end }: Range): string {
    const within = this.#edits
      .filter((edit) => edit.start >= pos && edit.end <= end)
      .sort((a, b) => a.start - b.start || a.end - b.end)
    const parts: string[] = []
    let at = pos
    for (const edit of within) {
      if (edit.start < at) continue
      parts.push(this.source.slice(at, edit.start), edit.text)
      at = edit.end
    }
    parts.push(this.source.slice(at, end))
    return parts.join('')
  }

  /** As it was written. */
  written({ pos, end }: Range): string {
    return this.source.slice(pos, end)
  }
}
