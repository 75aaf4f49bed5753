import type { ScriptNode } from '../just-bash.ts'
import { restoreExpression } from './arithmetic-spacing.ts'
import { rewriteTexts } from './walk.ts'

/** Stand for `#` and the name of `$#` while a script is parsed. */
const MARK = '\ue014'
const COUNT = '__count__'

/** What is left alone, `$#`, and a `#` behind a sign or digit: just-bash begins a comment there in `$( )`. */
const SIGNS =
  /\$\{(?:[^{}\n]|\{[^{}\n]*\})*\}|\(\((?:[^()\n]|\([^()\n]*\))*\)\)|\$#(?!\w)|(?<=[\d/.,:=%+@*?~^!\]}"'-])#/g

export function maskNumberSigns(text: string): string {
  if (!text.includes('$(') || !text.includes('#')) return text
  return text.replaceAll(SIGNS, (found) => {
    if (found === '#') return MARK
    return found.startsWith('${') ? found : found.replaceAll(/\$#(?!\w)/g, () => `$${COUNT}`)
  })
}

const unmask = (text: string) => text.replaceAll(`$${COUNT}`, () => '$#').replaceAll(MARK, '#')

/** Puts them back in all texts of a tree, and parses the expressions that have one once more. */
export function restoreNumberSigns(ast: ScriptNode, parse: (text: string) => ScriptNode): void {
  rewriteTexts(
    ast,
    (text) => (text === COUNT ? '#' : unmask(text)),
    (value) => restoreExpression(value, unmask, parse) === 'restored',
  )
}
