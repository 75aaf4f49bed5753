import type { NodeOf, StatementNode, WordPart } from '../just-bash.ts'
import { assignedIn, INEXACT } from './arithmetic.ts'
import { assignArray, assignWord, literal, quotedParameter, simple, single, word } from './nodes.ts'
import { innerOf } from './walk.ts'

type Expansion = Extract<WordPart, { type: 'ParameterExpansion' }>

/** Operations whose word is expanded in one case only. */
export const LAZY: ReadonlySet<string> = new Set([
  'DefaultValue',
  'AssignDefault',
  'UseAlternative',
  'ErrorIfUnset',
])

/** The texts of the expressions in a value, outside of the scripts that it holds. */
function expressionsIn(value: object): string[] {
  const type: unknown = Reflect.get(value, 'type')
  if (type === 'Script' || type === 'Statement') return []
  if (type === 'ArithmeticExpression') {
    const text: unknown = Reflect.get(value, 'originalText')
    return typeof text === 'string' ? [text] : []
  }
  const index =
    type === 'ParameterExpansion' ? /\[(.*)\]$/s.exec(String(Reflect.get(value, 'parameter'))) : null
  const inner = innerOf(value).flatMap(expressionsIn)
  return index?.[1] === undefined ? inner : [index[1], ...inner]
}

/** The variables that expressions of these values assign to. */
export const assignedBy = (values: readonly object[]): string[] =>
  values.flatMap(expressionsIn).flatMap(assignedIn)

/**
 * The variables that the words of a command change, where one of its expressions is computed before it: what reads them is read
 * in the order of the words then.
 */
export function changedBy(values: readonly object[]): ReadonlySet<string> {
  const texts = values.flatMap(expressionsIn)
  return new Set(texts.some((text) => INEXACT.test(text)) ? texts.flatMap(assignedIn) : [])
}

/** Whether an expression that is computed before its command names one of these variables. */
export const computesWith = (value: object, names: readonly string[]): boolean =>
  expressionsIn(value).some(
    (text) => INEXACT.test(text) && names.some((name) => new RegExp(`\\b${name}\\b`).test(text)),
  )

/** Has `held` be what a part of a word expands to. */
export const keptText = (held: string, part: WordPart): StatementNode =>
  single(assignWord(held, word({ type: 'DoubleQuoted', parts: [part] })))

/** Has `held` be what `name` is now, unset where that is. */
export function keptValue(held: string, name: string): StatementNode[] {
  const isSet = single(simple('test', literal('-v'), literal(name)))
  const choice: NodeOf<'If'> = {
    type: 'If',
    clauses: [
      {
        condition: [isSet],
        body: [keptText(held, { type: 'ParameterExpansion', parameter: name, operation: null })],
      },
    ],
    elseBody: [single(simple('unset', literal(held)))],
    redirections: [],
  }
  return [single(choice)]
}

/** Whether the index or the operation of an expansion reads one of these variables. */
export function readsAny({ parameter, operation }: Expansion, names: ReadonlySet<string>): boolean {
  if (/[@*]/.test(parameter) || LAZY.has(operation?.type ?? '')) return false
  const text = parameter.replace(/^\w+/, '') + JSON.stringify(operation)
  return [...names].some((name) => new RegExp(`\\b${name}\\b`).test(text))
}

/** Words that read `$?` or `PIPESTATUS`, which the statements before their command set. */
export class StatusReaders {
  readonly #readers: { readonly part: Expansion; readonly name: string }[] = []
  readonly #heldName: () => string
  readonly #held = new Map<string, string>()

  constructor(heldName: () => string) {
    this.#heldName = heldName
  }

  note(part: Expansion): void {
    const name = /^(\?|PIPESTATUS)(?:$|\[)/.exec(part.parameter)?.[1]
    if (name !== undefined) this.#readers.push({ part, name })
  }

  /** An expression with another name for `$?`. */
  renamed(expression: string): string {
    return expression.replaceAll(/\$(?:\?|\{\?\})/g, () => `$${this.#nameFor('?')}`)
  }

  /** Has the words read what is kept. @returns the statements that keep it */
  kept(): StatementNode[] {
    for (const { part, name } of this.#readers)
      part.parameter = part.parameter.replace(name, () => this.#nameFor(name))
    return [...this.#held].map(([name, held]) => {
      if (name === '?') return keptText(held, { type: 'ParameterExpansion', parameter: '?', operation: null })
      return single(assignArray(held, [quotedParameter(`${name}[@]`)]))
    })
  }

  #nameFor(name: string): string {
    const held = this.#held.get(name) ?? this.#heldName()
    this.#held.set(name, held)
    return held
  }
}
