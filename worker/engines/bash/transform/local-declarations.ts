import type { ScriptNode, SimpleCommandNode } from '../just-bash.ts'
import { literal, plainText } from './nodes.ts'
import { innerOf, isNode } from './walk.ts'

/**
 * `declare -r` in a function, which just-bash takes for `readonly`: the variable stays, and the next call fails. `local -A` and others,
 * whose letters it ignores.
 */
export const DECLARES_LOCALLY = /\b(?:(?:declare|typeset)\s+-\w*r|local\s+-\w*[Ailux])/

/** Makes of the first a local variable, which can be assigned to, and of the second a `declare`. */
export function localDeclarations(script: ScriptNode): void {
  visit(script, false)
}

function visit(value: object, inFunction: boolean): void {
  if (inFunction && isNode(value) && value.type === 'SimpleCommand') settle(value)
  const inside = inFunction || (isNode(value) && value.type === 'FunctionDef')
  for (const inner of innerOf(value)) visit(inner, inside)
}

function settle(node: SimpleCommandNode): void {
  const name = plainText(node.name)
  if (name !== 'declare' && name !== 'typeset' && name !== 'local') return
  const flags = node.args.map((arg) => /^-(\w+)$/.exec(plainText(arg) ?? '')?.[1] ?? '')
  const all = flags.join('')
  const hasLetters = /[Ailux]/.test(all)
  if (name === 'local' ? !hasLetters : !all.includes('r') || /[gpfF]/.test(all)) return
  node.name = literal(hasLetters ? 'declare' : 'local')
  node.args = node.args.flatMap((arg, at) => {
    const kept = (flags[at] ?? '').replaceAll('r', '')
    if (flags[at] === '') return [arg]
    return kept === '' ? [] : [literal(`-${kept}`)]
  })
}
