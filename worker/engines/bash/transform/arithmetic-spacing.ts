import type { ScriptNode } from '../just-bash.ts'
import { isNode } from './walk.ts'

const OF = ['expression', 'init', 'condition', 'update'] as const

/**
 * `((i>=3))`: just-bash's lexer takes `>` and `=3` apart in `(( ))` and `for (( ))`, not in `$(( ))`.
 * Such an expression is parsed again as the latter.
 */
export function mendSpacing(node: object, parse: (text: string) => ScriptNode): void {
  for (const key of OF) {
    const value: unknown = Reflect.get(node, key)
    if (typeof value !== 'object' || value === null) continue
    const text: unknown = Reflect.get(value, 'originalText')
    const source = typeof text === 'string' ? text : ''
    if (!/ArithSyntaxError/.test(JSON.stringify(value)) && !/[<>=!]\s+=/.test(source)) continue
    const joined = source.replaceAll(/([<>=!])\s+=/g, '$1=').replaceAll(/\s*(<=|>=|==|!=)\s*/g, ' $1 ')
    const part = expressionOf(parse(`: $((${joined}))`))
    if (part !== undefined) Reflect.set(node, key, part)
  }
}

/** Whether an object is an expression. One whose text was masked is parsed again from what was written. */
export function restoreExpression(
  value: object,
  unmask: (text: string) => string,
  parse: (text: string) => ScriptNode,
): 'none' | 'as it was' | 'restored' {
  if (!isNode(value) || value.type !== 'ArithmeticExpression') return 'none'
  const { originalText: masked = '' } = value
  const text = unmask(masked)
  if (text === masked) return 'as it was'
  const exact = expressionOf(parse(`: $((${text}))`))
  if (exact === undefined) throw new Error(`${text}: this expression is not known here`)
  Object.assign(value, exact)
  return 'restored'
}

/** The expression of `: $((…))`. */
function expressionOf(ast: ScriptNode): object | undefined {
  const command = ast.statements[0]?.pipelines[0]?.commands[0]
  const part = command?.type === 'SimpleCommand' ? command.args[0]?.parts[0] : undefined
  return part?.type === 'ArithmeticExpansion' ? part.expression : undefined
}
