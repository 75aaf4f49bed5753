import type { ScriptNode } from '../just-bash.ts'
import { expressionOf } from './arithmetic-spacing.ts'
import { isNode, rewriteTexts } from './walk.ts'

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
    (value) => {
      if (!isNode(value) || value.type !== 'ArithmeticExpression') return false
      const text = value.originalText
      if (text === undefined || unmask(text) === text) return false
      const exact = expressionOf(parse(`: $((${unmask(text)}))`))
      if (exact === undefined) throw new Error(`${unmask(text)}: this expression is not known here`)
      Object.assign(value, exact)
      return true
    },
  )
}
