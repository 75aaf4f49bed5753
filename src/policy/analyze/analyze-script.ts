import type { ScriptAnalysis } from '../analysis.ts'
import { Collector } from './collector.ts'
import { unreadable } from './empty.ts'
import { walkText } from './walk.ts'

/** The longest text that is read, in characters. */
const MOST_CHARACTERS = 1_048_576

/**
 * Reads what a bash script says of itself: its commands, redirects, assignments, functions and substitutions. It looks into
 * `$(…)`, functions, here-documents, and into the literal text of `eval`, `sh -c`, `trap`, `alias` and programs that run
 * others, such as `xargs`.
 *
 * The answer is advisory. What is only known at run time (`$x` as a name, `eval "$x"`, a sourced file) is in `opaque`. What
 * earlier calls left in the session (functions, aliases, `PATH`) is not in the text.
 *
 * It never throws. A text of more than 1,048,576 characters, one that nests too deeply, and one that bash cannot read have
 * `parsed: false`.
 */
export function analyzeScript(text: string): ScriptAnalysis {
  if (typeof text !== 'string' || text.length > MOST_CHARACTERS) return unreadable(text)
  const collector = new Collector()
  try {
    if (walkText(text, { collector, via: undefined, depth: 0 })) return collector.analysis()
  } catch {
    // Beyond a bound, or too deep for the parser: it is said to be unreadable.
  }
  return unreadable(text)
}
