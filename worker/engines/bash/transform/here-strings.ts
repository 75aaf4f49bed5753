import type { ScriptNode, SimpleCommandNode } from '../just-bash.ts'
import { isNode, rewriteTexts } from './walk.ts'

/** Stand for `<<` and for blanks behind `<<<` while a script is parsed. */
const MARK = '\ue011'
const BLANKS: Readonly<Record<string, string>> = { ' ': '\ue012', '\t': '\ue013' }

const unmask = (text: string) =>
  text.replaceAll(MARK, '<<').replaceAll('\ue012', ' ').replaceAll('\ue013', '\t')

const fails = ({ statements }: ScriptNode) =>
  statements.some(({ deferredError }) => deferredError !== undefined)

/**
 * Parses a script. In `$( )` of several lines just-bash takes `<<<` for the begin of a here-document: where it finds an
 * error, such operators are read as `<` with a marked word.
 *
 * @throws just-bash's ParseException.
 */
export function parseHereStrings(text: string, parse: (text: string) => ScriptNode): ScriptNode {
  const again = () => {
    const ast = parse(text.replaceAll(/<<<([ \t]*)/g, (_, blanks: string) => `<${MARK}${maskBlanks(blanks)}`))
    rewriteTexts(ast, unmask, restoreRedirections)
    return ast
  }
  if (!text.includes('<<<') || !text.includes('$(')) return parse(text)
  try {
    const ast = parse(text)
    if (!fails(ast)) return ast
    const other = again()
    return fails(other) ? ast : other
  } catch (error) {
    try {
      return again()
    } catch {
      // What is wrong with the script as it was written is told.
      throw error
    }
  }
}

const maskBlanks = (blanks: string) => [...blanks].map((blank) => BLANKS[blank] ?? blank).join('')

function restoreRedirections(value: object): false {
  if (isNode(value) && 'redirections' in value) value.redirections.forEach(restoreRedirection)
  return false
}

function restoreRedirection(redirection: SimpleCommandNode['redirections'][number]): void {
  const { operator, target } = redirection
  const first = target.type === 'Word' ? target.parts[0] : undefined
  if (operator !== '<' || first?.type !== 'Literal' || !first.value.startsWith(MARK)) return
  redirection.operator = '<<<'
  first.value = first.value.replace(/^\ue011[\ue012\ue013]*/, '')
}
