import type { OpaquePart, ScriptAnalysis } from '../analysis.ts'

/** The analysis of what has no script, with what is only known at run time. */
export function emptyAnalysis(parsed: boolean, opaque: readonly OpaquePart[] = []): ScriptAnalysis {
  return Object.freeze({
    parsed,
    commands: none,
    redirects: none,
    assignments: none,
    functions: none,
    substitutions: none,
    opaque: Object.freeze(opaque.map((part) => Object.freeze(part))),
  })
}

/** The analysis of a text that cannot be read. */
export function unreadable(text: string): ScriptAnalysis {
  return emptyAnalysis(false, [{ kind: 'syntax', text }])
}

const none: readonly never[] = Object.freeze([])
