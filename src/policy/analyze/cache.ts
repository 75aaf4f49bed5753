import type { ScriptAnalysis } from '../analysis.ts'
import { analyzeScript } from './analyze-script.ts'

/** Texts that are kept, and their characters, at most. */
const MOST_TEXTS = 512
const MOST_CHARACTERS = 1_048_576

/** The longest text that is kept. */
const LONGEST = 65_536

const kept = new Map<string, ScriptAnalysis>()
let characters = 0

/** The analysis of a text: that of one that was read lately is kept. */
export function analysisOf(text: string): ScriptAnalysis {
  const known = kept.get(text)
  if (known !== undefined) {
    kept.delete(text)
    kept.set(text, known)
    return known
  }
  const analysis = analyzeScript(text)
  if (text.length <= LONGEST) keep(text, analysis)
  return analysis
}

function keep(text: string, analysis: ScriptAnalysis): void {
  kept.set(text, analysis)
  characters += text.length
  for (const [oldest] of kept) {
    if (kept.size <= MOST_TEXTS && characters <= MOST_CHARACTERS) return
    kept.delete(oldest)
    characters -= oldest.length
  }
}
