import type { ScriptNode, SimpleCommandNode } from '../just-bash.ts'
import { literal, plainText } from './nodes.ts'
import { innerOf, isNode } from './walk.ts'

/** `declare -r` in a function, which just-bash takes for `readonly`: the variable stays, and the next call fails. */
export const DECLARES_READONLY = /\b(?:declare|typeset)\s+-\w*r/

/** Makes it a local variable, which can be assigned to. */
export function localReadonly(script: ScriptNode): void {
  visit(script, false)
}

function visit(value: object, inFunction: boolean): void {
  if (inFunction && isNode(value) && value.type === 'SimpleCommand') settle(value)
  const inside = inFunction || (isNode(value) && value.type === 'FunctionDef')
  for (const inner of innerOf(value)) visit(inner, inside)
}

function settle(node: SimpleCommandNode): void {
  const name = plainText(node.name)
  if (name !== 'declare' && name !== 'typeset') return
  const flags = node.args.map((arg) => /^-(\w+)$/.exec(plainText(arg) ?? '')?.[1] ?? '')
  const all = flags.join('')
  if (!all.includes('r') || /[gpfF]/.test(all)) return
  node.name = literal('local')
  node.args = node.args.flatMap((arg, at) => {
    const kept = (flags[at] ?? '').replaceAll('r', '')
    if (flags[at] === '') return [arg]
    return kept === '' ? [] : [literal(`-${kept}`)]
  })
}
