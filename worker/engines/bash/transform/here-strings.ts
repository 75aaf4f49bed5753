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
 * error, such operators are read as `<` with a marked word. It misses a `case` behind a here-document.
 *
 * @throws just-bash's ParseException.
 */
export function parseHereStrings(text: string, parse: (text: string) => ScriptNode): ScriptNode {
  const again = () => {
    const ast = parse(text.replaceAll(/<<<([ \t]*)/g, (_, blanks: string) => `<${MARK}${maskBlanks(blanks)}`))
    rewriteTexts(ast, unmask, restoreRedirections)
    return ast
  }
  if (!text.includes('<<') || !text.includes('$(')) return parse(text)
  const others = [
    ...(text.includes('<<<') ? [again] : []),
    ...(BEFORE_CASE.test(text) ? [() => parse(text.replaceAll(BEFORE_CASE, '$& '))] : []),
  ]
  return firstThatParses(() => parse(text), others)
}

/** A line that begins a here-document and ends with a letter: the first word behind the document is taken for its rest. */
const BEFORE_CASE = /(?<!<)<<-?[ \t]*['"\\]?\w+['"]?[ \t|][^\n]*[A-Za-z_](?=\n)/g

/** What is wrong with the script as it was written is told. */
function firstThatParses(written: () => ScriptNode, others: readonly (() => ScriptNode)[]): ScriptNode {
  const parsed = (read: () => ScriptNode) => {
    try {
      const ast = read()
      return { ast, failed: fails(ast) }
    } catch (error) {
      return { error, failed: true }
    }
  }
  const first = parsed(written)
  if (first.failed)
    for (const read of others) {
      const other = parsed(read)
      if (!other.failed && other.ast !== undefined) return other.ast
    }
  if (first.ast === undefined) throw first.error
  return first.ast
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
