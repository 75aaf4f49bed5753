import type { NodeOf, SimpleCommandNode } from '../just-bash.ts'
import { literal, plainText } from './nodes.ts'

type Test = NodeOf<'ConditionalCommand'>

/**
 * `[ -s dir ]` and `[[ -s dir ]]`: a directory has a size other than 0 on a system, and 0 here. Written as
 * `-s dir` or `-d dir`.
 */
export function directorySize<T extends SimpleCommandNode | Test>(node: T): T {
  if (node.type === 'ConditionalCommand') mendExpression(node)
  else mendWords(node)
  return node
}

function mendWords(node: SimpleCommandNode): void {
  const [first] = node.name?.parts ?? []
  const name = first?.type === 'Glob' ? first.pattern : plainText(node.name)
  if (name !== '[' && name !== 'test') return
  const { args } = node
  const at = plainText(args[0]) === '!' ? 1 : 0
  const path = args[at + 1]
  const last = name === '[' ? at + 3 : at + 2
  if (plainText(args[at]) !== '-s' || path === undefined || args.length !== last) return
  const not = args.slice(0, at)
  const either = literal(at === 0 ? '-o' : '-a')
  args.splice(at, 2, literal('-s'), path, either, ...not, literal('-d'), path)
}

function mendExpression(value: object): void {
  for (const [key, inner] of Object.entries(value)) {
    if (typeof inner !== 'object' || inner === null) continue
    if (Reflect.get(inner, 'type') === 'CondUnary' && Reflect.get(inner, 'operator') === '-s') {
      const directory = { ...inner, operator: '-d' }
      Reflect.set(value, key, {
        type: 'CondGroup',
        expression: { type: 'CondOr', left: inner, right: directory },
      })
    } else mendExpression(inner)
  }
}
