import type { CommandNode, SimpleCommandNode, WordNode, WordPart } from '../just-bash.ts'
import { bracesIn, wordsOf } from './brace-words.ts'
import { assigning, command, group, literal, plainText, single } from './nodes.ts'

const DECLARES = new Set(['declare', 'typeset', 'local', 'readonly', 'export'])
const OPENS = /^([A-Za-z_]\w*)(\+?)=\(/

/**
 * `declare -A m=([k]="v w")`: just-bash reads the list once more after its quotes are gone. The name is
 * declared first, then assigned, then made readonly or exported.
 */
export function declareArray(node: CommandNode): CommandNode {
  if (node.type !== 'SimpleCommand' || node.assignments.length > 0) return node
  const name = plainText(node.name)
  if (name === undefined || !DECLARES.has(name) || !node.args.some(isArray)) return node
  const flags = node.args.map(plainText).filter((text) => text?.startsWith('-') || text?.startsWith('+'))
  const late = name === 'readonly' || name === 'export' || flags.some((text) => /[rx]/.test(text ?? ''))
  const letters = flags
    .map((text) => (text ?? '').replace(/^-/, ''))
    .join('')
    .replaceAll(/[rx]/g, '')
  const steps: CommandNode[] = []
  const first = late && name !== 'local' ? 'declare' : name
  for (const arg of node.args) {
    const list = arrayOf(arg)
    if (list === undefined) {
      if (!flags.includes(plainText(arg) ?? ''))
        steps.push({ ...node, args: [...flagWords(node), arg], redirections: [] })
      continue
    }
    const flag = letters === '' ? [literal('-a')] : [literal(`-${letters}`)]
    const global = late && first === 'declare' && !letters.includes('g') ? [literal('-g')] : []
    if (!list.append) steps.push(command(first, ...global, ...flag, literal(list.name)))
    steps.push(assigning(list.assignment))
    if (late) steps.push(command(name === 'local' ? 'local' : name, ...flagWords(node), literal(list.name)))
  }
  return group(steps.map(single), node.redirections)
}

const flagWords = (node: SimpleCommandNode) => node.args.filter((arg) => /^[-+]/.test(plainText(arg) ?? ''))

function isArray(word: WordNode): boolean {
  const [first] = word.parts
  return first?.type === 'Literal' && OPENS.test(first.value)
}

interface ArrayList {
  readonly name: string
  readonly append: boolean
  readonly assignment: SimpleCommandNode['assignments'][number]
}

function arrayOf(word: WordNode): ArrayList | undefined {
  const [first, ...rest] = word.parts
  if (first?.type !== 'Literal') return undefined
  const opened = OPENS.exec(first.value)
  if (opened === null) return undefined
  const [open, name = '', plus] = opened
  const parts: WordPart[] = [{ ...first, value: first.value.slice(open.length) }, ...rest]
  const last = parts.at(-1)
  if (last?.type !== 'Literal' || !last.value.endsWith(')')) return undefined
  parts[parts.length - 1] = { ...last, value: last.value.slice(0, -1) }
  const append = plus === '+'
  const assignment = {
    type: 'Assignment' as const,
    name,
    value: null,
    append,
    array: wordsOf(elements(parts)),
  }
  return { name, append, assignment }
}

/** Splits a list's parts at its blanks. */
function elements(parts: readonly WordPart[]): WordNode[] {
  const words: WordPart[][] = [[]]
  for (const part of parts) {
    if (part.type !== 'Literal') {
      words.at(-1)?.push(part)
      continue
    }
    part.value.split(/[ \t\n]+/).forEach((value, at) => {
      if (at > 0) words.push([])
      words.at(-1)?.push(...bracesIn(value))
    })
  }
  return words.filter((list) => list.length > 0).map((list) => ({ type: 'Word', parts: list }))
}
