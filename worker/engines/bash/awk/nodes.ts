import type { Value } from './values.ts'

export type NodeKind =
  | 'const'
  | 'regex'
  | 'variable'
  | 'field'
  | 'element'
  | 'assign'
  | 'condition'
  | 'and'
  | 'or'
  | 'in'
  | 'match'
  | 'compare'
  | 'concat'
  | 'binary'
  | 'not'
  | 'minus'
  | 'plus'
  | 'before'
  | 'after'
  | 'call'
  | 'builtin'
  | 'getline'
  | 'group'
  | 'block'
  | 'if'
  | 'while'
  | 'do'
  | 'for'
  | 'forIn'
  | 'switch'
  | 'case'
  | 'break'
  | 'continue'
  | 'next'
  | 'nextfile'
  | 'exit'
  | 'return'
  | 'delete'
  | 'clear'
  | 'print'
  | 'printf'
  | 'evaluate'
  | 'empty'

/** A part of a program. What `text`, `slot` and the kids mean depends on the kind. */
export interface Node {
  readonly kind: NodeKind
  /** An operator, or the name of a variable, an array or a function. */
  readonly text: string
  readonly kids: readonly Node[]
  readonly value: Value
  /** The place among the locals of its function, or -1. */
  readonly slot: number
  /** Whether it may wait for a file or a command. */
  waits: boolean
}

/** A function by its parameters and body. */
export interface Definition {
  readonly name: string
  readonly parameters: readonly string[]
  body: Node
}

export interface Rule {
  readonly kind: 'BEGIN' | 'END' | 'always' | 'pattern' | 'range'
  readonly patterns: readonly Node[]
  /** Undefined: print the record. */
  readonly body: Node | undefined
}

export interface AwkProgram {
  readonly rules: readonly Rule[]
  readonly functions: ReadonlyMap<string, Definition>
}

export const node = (
  kind: NodeKind,
  kids: readonly Node[] = [],
  text = '',
  slot = -1,
  value: Value = '',
): Node => ({ kind, kids, text, slot, value, waits: false })

export const constant = (value: Value): Node => node('const', [], '', -1, value)

/** A part that the parser has put there. */
export function kid(parent: Node, at: number): Node {
  const found = parent.kids[at]
  if (found === undefined) throw new TypeError(`${parent.kind} has no part ${at}`)
  return found
}

const WAITING = new Set(['getline', 'system', 'close', 'fflush'])

/** Marks what may wait for a file or a command: such parts run step by step, all others at once. */
export function markWaits({ rules, functions }: AwkProgram): void {
  const waiting = new Set<string>()
  const mark = (part: Node): boolean => {
    let waits = part.kind === 'getline' || (part.kind === 'builtin' && WAITING.has(part.text))
    if (part.kind === 'call' && waiting.has(part.text)) waits = true
    for (const each of part.kids) if (mark(each)) waits = true
    part.waits = waits
    return waits
  }
  for (let known = -1; known < waiting.size; ) {
    known = waiting.size
    for (const { name, body } of functions.values()) if (mark(body)) waiting.add(name)
  }
  for (const { patterns, body } of rules)
    for (const part of [...patterns, ...(body ? [body] : [])]) mark(part)
}
