import type { StatementNode, WordNode, WordPart } from '../just-bash.ts'
import { innerPath } from './inner-command.ts'
import { type Evaluated, evaluatesLater } from './lazy-eval.ts'
import { assigning, group, literal, simple, single, word } from './nodes.ts'

/** `__globstar array patterns…`: has the files that the patterns match assigned to the array. */
export const GLOBSTAR = '__globstar'

/** Patterns that `__globstar` does not know: `+(a)`, `[[:alpha:]]`. */
const OTHER = /[?*+@!]\(|\[:/

const escaped = (text: string) => text.replaceAll(/[\\*?[\]]/g, '\\$&')

/** The part as text of a pattern, or undefined where it is none that can be told. */
function patternPart(part: WordPart): WordPart | undefined {
  switch (part.type) {
    case 'Glob':
      return OTHER.test(part.pattern) ? undefined : { type: 'SingleQuoted', value: part.pattern }
    case 'Literal':
    case 'Escaped':
    case 'SingleQuoted':
      return { type: 'SingleQuoted', value: escaped(part.value) }
    case 'ParameterExpansion':
      return { type: 'DoubleQuoted', parts: [part] }
    case 'DoubleQuoted':
    case 'TildeExpansion':
      return part
    case 'BraceExpansion': {
      const items = part.items.map((item) => {
        const inner = item.type === 'Word' ? patternWord(item.word) : undefined
        return inner === undefined ? undefined : { type: 'Word' as const, word: inner }
      })
      return items.includes(undefined)
        ? undefined
        : { ...part, items: items.filter((item) => item !== undefined) }
    }
    default:
      return undefined
  }
}

function patternWord({ parts }: WordNode): WordNode | undefined {
  const found = parts.map(patternPart)
  return found.includes(undefined) ? undefined : word(...found.filter((part) => part !== undefined))
}

const hasGlobstar = ({ parts }: WordNode): boolean =>
  parts.some((part) => {
    if (part.type === 'Glob') return part.pattern.startsWith('**')
    if (part.type !== 'BraceExpansion') return false
    return part.items.some((item) => item.type === 'Word' && hasGlobstar(item.word))
  })

/** A pattern of two names or more: just-bash gives `..` and `./.hidden` as well under `dotglob`. */
function hasSeveral({ parts }: WordNode): boolean {
  const texts = parts.map((part) => {
    if (part.type === 'Glob') return part.pattern
    return part.type === 'Literal' ? part.value : ''
  })
  const text = texts.join('')
  const isPattern = parts.some(({ type }) => type === 'Glob') && !text.endsWith('/')
  return isPattern && /[*?\]][^/]*\/.*[*?[]/s.test(text)
}

/** `**` under `globstar`, of which just-bash knows less, and patterns of several names under `dotglob`. Gives what must come before, and the word instead. */
export function globstar(
  written: WordNode,
  name: () => string,
  evaluated: Evaluated,
): { before: StatementNode[]; word: WordNode } | undefined {
  const option = hasGlobstar(written) ? 'globstar' : hasSeveral(written) ? 'dotglob' : undefined
  const pattern = option === undefined ? undefined : patternWord(written)
  if (option === undefined || pattern === undefined) return undefined
  const array = name()
  const fill = simple(innerPath(GLOBSTAR), literal(array), pattern)
  const plain = {
    type: 'Assignment' as const,
    name: array,
    value: null,
    append: false,
    array: [written],
  }
  const isSet = simple('shopt', literal('-q'), literal(option))
  const choice = {
    type: 'If' as const,
    clauses: [
      {
        condition: [single(isSet)],
        body: [single(fill), single(evaluatesLater(group([]), evaluated))],
      },
    ],
    elseBody: [single(assigning(plain))],
    redirections: [],
  }
  const all = { type: 'ParameterExpansion' as const, parameter: `${array}[@]`, operation: null }
  return { before: [single(choice)], word: word({ type: 'DoubleQuoted', parts: [all] }) }
}
