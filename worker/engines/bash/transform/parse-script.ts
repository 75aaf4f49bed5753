import type { JustBash, ScriptNode } from '../just-bash.ts'
import { maskArrayWords, restoreArrayWords } from './array-literals.ts'
import { DEFINES, noteSources } from './function-source.ts'
import { maskHereDocQuotes } from './here-doc-quotes.ts'
import { parseHereStrings } from './here-strings.ts'
import { boundJumps } from './jumps.ts'
import { DECLARES_LOCALLY, localDeclarations } from './local-declarations.ts'
import { maskArithmetic, restoreArithmetic } from './masked-arithmetic.ts'
import { maskNumberSigns, restoreNumberSigns } from './number-signs.ts'
import { mendOctalQuotes } from './octal-quotes.ts'
import { restoreRegexes, takeRegexes } from './regex-words.ts'

/**
 * Parses a script with just-bash. What its parser reads otherwise than bash is masked in the text and put back into
 * the tree.
 *
 * @throws just-bash's ParseException.
 */
export function parseScript(text: string, parse: JustBash['parse']): ScriptNode {
  const signed = maskNumberSigns(text)
  const mended = mendOctalQuotes(maskHereDocQuotes(signed))
  const listed = maskArrayWords(mended)
  const masked = maskArithmetic(listed)
  const taken = masked.includes('=~') ? takeRegexes(masked) : { text: masked, expressions: [] }
  const ast = parseHereStrings(taken.text, parse)
  if (listed !== mended) restoreArrayWords(ast)
  if (masked !== signed) restoreArithmetic(ast, parse)
  restoreRegexes(ast, taken.expressions, parse)
  if (signed !== text) restoreNumberSigns(ast, parse)
  if (/\b(?:break|continue)\b/.test(text)) boundJumps(ast)
  if (DECLARES_LOCALLY.test(text)) localDeclarations(ast)
  if (DEFINES.test(text)) noteSources(ast)
  return ast
}
