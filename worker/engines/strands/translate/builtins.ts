import type { Command, Word } from 'unbash'
import { nameOf } from './facts.ts'
import type { Script } from './script.ts'
import { literalOf, NAME } from './words.ts'

/** Parts of a word that stand in `(( ))` as they are. */
const COMPUTED: ReadonlySet<string> = new Set(['Literal', 'Glob', 'SimpleExpansion', 'ArithmeticExpansion'])

/** A builtin of bash in constructs that have translations; undefined where it is none, or none of a kind that is known. */
export function constructFor(command: Command, script: Script): string | undefined {
  const words = command.args.filter((arg) => arg.type === 'Word')
  if (words.length < command.args.length || words.length === 0) return undefined
  if (command.prefix.length + command.redirects.length > 0) return undefined
  const name = nameOf(command)
  if (name === 'let') return computing(words)
  return name === 'printf' ? printing(words, script) : undefined
}

/** `let` of several expressions has the status of the last. */
function computing(words: readonly Word[]): string | undefined {
  const found = words.map(expressionIn)
  if (found.includes(undefined)) return undefined
  const steps = found.map((one) => `(( ${one} ))`)
  return steps.length === 1 ? steps.join('') : `{ ${steps.join(' || :; ')}; }`
}

function expressionIn({ text, parts }: Word): string | undefined {
  const [first, ...others] = parts ?? []
  const isQuoted = others.length === 0 && (first?.type === 'DoubleQuoted' || first?.type === 'SingleQuoted')
  const inner = isQuoted ? text.slice(1, -1) : text
  if (/[\\`"']/.test(inner) || inner.trim() === '') return undefined
  return isQuoted || (parts ?? []).every(({ type }) => COMPUTED.has(type)) ? inner : undefined
}

/** `printf -v NAME`: a sign behind what is printed keeps its line breaks, and tells the status. */
function printing([option, target, format, ...args]: readonly Word[], script: Script): string | undefined {
  const name = literalOf(target)
  if (literalOf(option) !== '-v' || format === undefined || !NAME.test(name ?? '')) return undefined
  const words = script.text({ pos: format.pos, end: (args.at(-1) ?? format).end })
  return (
    `{ ${name}=$(printf ${words} && printf 0 || printf 1); ` +
    `case $${name} in *0) ${name}=\${${name}%?} ;; *) ${name}=\${${name}%?}; false ;; esac; }`
  )
}
