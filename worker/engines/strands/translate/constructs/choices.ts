import type { Command, ParameterExpansionPart, Word, WordPart } from 'unbash'
import { quoted } from '../../quoting.ts'
import { nameOf } from '../facts.ts'
import { refuse } from '../refusal.ts'
import type { Place } from '../walk.ts'
import { NAME } from '../words.ts'
import type { Rule, Work } from '../work.ts'

/** Operators that choose between a value and another text. */
const CHOOSING = /^:?[-+]$/
/** Quotes that change nothing where the engine drops them. */
const SAFE = /^(?:[^"'\\]*|"[\w./:=@%+,-]+"|'[\w./:=@%+,-]+')$/
/** Commands whose words are not split. */
const DECLARING: ReadonlySet<string> = new Set(['declare', 'export', 'local', 'readonly', 'typeset'])

/** A word that is one of two texts: which, and how a pattern of `case` tells the first. */
interface Choice {
  readonly test: string
  readonly first: string
  readonly second: string
}

/**
 * The engine takes `"$y"` in `${x:-"$y"}` for a literal text, and `"${@:-x}"` for one word. Where the word is split, it is chosen before the
 * command; elsewhere the quotes say nothing.
 */
export const quotedOperand: Rule<'ParameterExpansion'> = ({ operation }, { script }, place) => {
  if (operation?.type !== 'Default') return
  const { operator, operand } = operation
  const outer = place.outer?.node
  if (
    outer?.type === 'Word' &&
    isSplit(outer, place.outer) &&
    !SAFE.test(operand.text) &&
    CHOOSING.test(operator)
  )
    return
  for (const part of operand.parts ?? []) {
    if (part.type !== 'DoubleQuoted') continue
    script.replace({ pos: part.pos, end: part.pos + 1 }, '')
    script.replace({ pos: part.end - 1, end: part.end }, '')
  }
}

/** Whether what stands in a word may become several words. */
function isSplit(word: Word, place: Place | undefined): boolean {
  const outer = place?.outer?.node
  if (outer?.type === 'For') return outer.wordlist?.includes(word) === true
  return outer?.type === 'Command' && outer.args.includes(word) && !DECLARING.has(nameOf(outer) ?? '')
}

/** The part of a word that is chosen when the command runs. */
export function chosenIn({ parts = [] }: Word): ParameterExpansionPart | undefined {
  const found = parts.flatMap((part) => chosenPart(part) ?? [])
  if (found.length > 1) refuse('several quoted values in one word', 'split the word')
  return found[0]
}

function chosenPart(part: WordPart): ParameterExpansionPart | undefined {
  if (part.type === 'DoubleQuoted')
    return part.parts.find(
      (one): one is ParameterExpansionPart =>
        one.type === 'ParameterExpansion' && one.parameter === '@' && CHOOSING.test(operatorOf(one)),
    )
  return part.type === 'ParameterExpansion' &&
    part.operation?.type === 'Default' &&
    CHOOSING.test(part.operation.operator) &&
    !SAFE.test(part.operation.operand.text)
    ? part
    : undefined
}

function operatorOf({ operation }: ParameterExpansionPart): string {
  return operation?.type === 'Default' ? operation.operator : ''
}

/** Whether an argument of a command is such a word. */
export function isChosen(word: Word, command: Command): boolean {
  const name = nameOf(command) ?? ''
  if (DECLARING.has(name)) return false
  const part = chosenIn(word)
  // What `echo` prints is the same.
  return part !== undefined && (part.parameter !== '@' || name !== 'echo')
}

function choiceOf(word: Word, part: ParameterExpansionPart, { script }: Work): Choice {
  const { parameter: name, operation, prefix, index } = part
  if (operation?.type !== 'Default' || prefix !== undefined || index !== undefined) return refuse(part.text)
  const [before, after] = [
    script.text({ pos: word.pos, end: part.pos }),
    script.text({ pos: part.end, end: word.end }),
  ]
  const operand = script.text(operation.operand)
  const isColon = operation.operator.startsWith(':')
  const written = (text: string) => kept(`${before}${text}${after}`)
  if (name === '@') {
    if (before !== '"' || after !== '"') refuse(`${part.text} beside other text`, 'use "$@"')
    if (operation.operator.endsWith('+'))
      return { test: 'case $# in 0)', first: '', second: written(script.text(part)) }
    return { test: `case "$#:$*" in 0:${isColon ? '|1:' : ''})`, first: written(operand), second: '"$@"' }
  }
  if (!NAME.test(name) && !/^[1-9]$/.test(name)) refuse(part.text, 'assign the value before')
  const test = `case "\${${name}${isColon ? ':' : ''}+x}" in x)`
  return operation.operator.endsWith('+')
    ? { test, first: written(operand), second: written('') }
    : { test, first: written(`\${${name}}`), second: written(operand) }
}

/** The engine drops a word that is empty after its expansion unless a part of it is in single quotes. */
function kept(text: string): string {
  return text.endsWith('"') ? `${text}''` : text
}

/** Commands that give a variable the text of the words, for `eval`. */
export function chosenWords(word: Word, variable: string, work: Work): string {
  const { test, first, second } = choiceOf(word, chosenIn(word) ?? refuse(word.text), work)
  return `${test} ${variable}=${quoted(first)} ;; *) ${variable}=${quoted(second)} ;; esac`
}

/** Commands that give a variable the words, each with the signs that end it. */
export function chosenFields(word: Word, variable: string, work: Work): string {
  const { test, first, second } = choiceOf(word, chosenIn(word) ?? refuse(word.text), work)
  return `${test} ${variable}=$(__ssr_fields ${first}) ;; *) ${variable}=$(__ssr_fields ${second}) ;; esac`
}
