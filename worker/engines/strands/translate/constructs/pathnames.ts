import { type Command, parse, type Word, type WordPart } from 'unbash'
import { quoted } from '../../quoting.ts'
import { ASKS_STATUS } from '../asks-status.ts'
import { nameOf } from '../facts.ts'
import { functionText } from '../function-text.ts'
import { guarded, refuse } from '../refusal.ts'
import { Script } from '../script.ts'
import type { Rule, Work } from '../work.ts'
import { expandBraces } from './brace-expansion.ts'
import { chosenFields, chosenIn, chosenWords, isChosen } from './choices.ts'

/** A pattern stands in the text of its command as a name until the command is written. */
const STAND_IN = /__ssr_names_(\d+)__/
const POSITIONAL = /\$[@*]|\$\{[@*]/

/** Whether names of files may take the place of a word. */
export function isPattern({ parts }: Word, { patterns }: Work['facts']): boolean {
  return (parts ?? []).some(
    (part) =>
      part.type === 'Glob' ||
      (part.type === 'SimpleExpansion' && patterns.has(part.text.slice(1))) ||
      (part.type === 'ParameterExpansion' && patterns.has(part.parameter)),
  )
}

/** Puts a name in the place of an argument that is a pattern, or is chosen when the command runs. A target of a redirection must be a name. */
export const pattern: Rule<'Word'> = (node, work, place) => {
  const outer = place.outer?.node
  if (outer?.type === 'Command' && outer.args.includes(node) && isChosen(node, outer)) {
    if (isPattern(node, work.facts)) refuse(`a pattern in ${node.text}`, 'assign the value before')
    standIn(node, (name) => chosenWords(node, name, work), work)
    return
  }
  if (outer === undefined || !isPattern(node, work.facts)) return
  if (outer.type === 'Redirect' && node.parts?.some(({ type }) => type === 'Glob') === true)
    refuse('a pattern as the target of a redirection', 'write one name')
  if (outer.type !== 'Command') return
  if (outer.name === node) {
    if (node.parts?.some(({ type }) => type === 'Glob') === true)
      refuse('a pattern as the name of a command', 'write its name')
    return
  }
  const words = wordsOf(node, work)
  standIn(node, (name) => `${name}=${namesOf('words', words, work)}`, work)
}

function standIn(node: Word, sets: (name: string) => string, { script, patterns }: Work): void {
  script.replace(node, `__ssr_names_${patterns.push(sets) - 1}__`)
}

/** Whether a command has an argument that is a pattern. */
export function hasPattern({ args }: Command, { facts }: Work): boolean {
  return args.some((one) => one.type === 'Word' && (isPattern(one, facts) || chosenIn(one) !== undefined))
}

/**
 * A command with patterns is run by `eval` with the names that they match: the engine knows no brackets, takes hidden files,
 * and finds nothing in direct binds. In a function, `eval` may fail without ending a script, and stand in a pipeline.
 */
export const patterns: Rule<'Command'> = (node, work) => {
  const { script } = work
  const text = script.text(node)
  if (!STAND_IN.test(text)) return
  if (nameOf(node) === 'set') {
    script.compounded.add(node)
    script.replace(node, `{ ${matched(text, work)}; }`)
    return
  }
  const name = `__ssr_match_${work.mark}_${work.next()}`
  work.hoist(functionText(name, [matched(text, work)]))
  script.compounded.delete(node)
  script.replace(node, `${name} "$@"`)
}

/** A text with names in the place of the patterns of its arguments, where there are any. */
export function withNames(text: string, work: Work): string {
  return STAND_IN.test(text) ? matched(text, work) : text
}

/** Refuses a text in which a pattern has no names. */
export function complete(text: string): string {
  return STAND_IN.test(text) ? refuse('a pattern in this place', 'put the names into a variable') : text
}

/** Commands that run a text with names in the place of the patterns. */
function matched(text: string, work: Work): string {
  const sets: string[] = []
  const pieces = guarded(text).split(STAND_IN)
  const written = pieces.map((piece, index) => {
    if (index % 2 === 0) return quoted(piece)
    const name = `__ssr_names_${index}`
    sets.push(work.patterns[Number(piece)]?.(name) ?? '')
    return `"$${name}"`
  })
  if (ASKS_STATUS.test(text)) {
    sets.unshift('__ssr_asked=$?')
    sets.push('__ssr_status "$__ssr_asked" && :')
  }
  return `${sets.join('; ')}; eval ${written.join('')}`
}

/** `for x in PATTERN` goes over names with signs between them; the first round is of our own and restores IFS. */
export const forPatterns: Rule<'For'> = (node, work) => {
  const { script } = work
  const list = node.wordlist ?? []
  if (!list.some((word) => isPattern(word, work.facts) || chosenIn(word) !== undefined)) return
  const sets: string[] = []
  const words = list.map((word) => {
    const isOneOfTwo = chosenIn(word) !== undefined
    if (!isOneOfTwo && !isExpanded(word)) return script.text(word)
    const name = `__ssr_list_${work.mark}_${work.next()}`
    if (isOneOfTwo) sets.push(chosenFields(word, name, work))
    else sets.push(`${name}=${namesOf('fields', wordsOf(word, work), work)}`)
    return `$${name}`
  })
  const variable = script.text(node.name)
  script.compounded.add(node)
  script.replace(
    node,
    `{ ${sets.join('; ')}; __ssr_part ${variable}; for ${variable} in '' ${words.join(' ')}; do ` +
      `if __ssr_whole ${variable}; then continue; fi; ${script.text(node.body)}\ndone; }`,
  )
}

function namesOf(kind: 'words' | 'fields', words: string, work: Work): string {
  return `$(${work.program('__names')} ${kind} "x\${IFS+i}\${IFS-}" ${words})`
}

/** A word, or the words of its braces, for the program that finds names. */
function wordsOf(word: Word, work: Work): string {
  if (word.parts?.some(({ type }) => type === 'BraceExpansion') !== true)
    return argumentsOf(word, work.script)
  return expandBraces(work.script.text(word))
    .map((text) => {
      const command = parse(`: ${text}`).commands[0]?.command
      const words = command?.type === 'Command' ? command.args : []
      const script = new Script(`: ${text}`)
      return words
        .map((one) => (one.type === 'Word' ? argumentsOf(one, script) : refuse(text, 'write the words out')))
        .join(' ')
    })
    .join(' ')
}

function argumentsOf(word: Word, script: Script): string {
  const parts = word.parts ?? []
  if (parts.length === 0) return `w p${quoted(word.text)}`
  if (parts.length > 1 && POSITIONAL.test(word.text))
    refuse(`$@ beside a pattern (${word.text})`, 'use for x in "$@"')
  return `w ${parts.map((part, index) => argumentOf(part, index === 0, script)).join(' ')}`
}

function argumentOf(part: WordPart, isFirst: boolean, script: Script): string {
  switch (part.type) {
    case 'Glob':
      return `p${quoted(part.text)}`
    case 'Literal': {
      const [, rest] = isFirst ? (/^~((?:\/[\s\S]*)?)$/.exec(part.text) ?? []) : []
      return rest === undefined ? `p${quoted(part.text)}` : `l"$HOME" p${quoted(rest)}`
    }
    case 'SimpleExpansion':
    case 'ParameterExpansion':
    case 'CommandExpansion':
      return POSITIONAL.test(part.text)
        ? refuse(`${part.text} without quotes beside a pattern`, 'use "$@"')
        : `u"${script.text(part)}"`
    case 'ArithmeticExpansion':
      return `l"${script.text(part)}"`
    default:
      return `l${script.text(part)}`
  }
}

/** Whether a word is split or matched, or is joined by what parts words. */
function isExpanded(word: Word): boolean {
  return (word.parts ?? []).some((part) =>
    part.type === 'DoubleQuoted'
      ? /\$\*|\$\{\*/.test(part.text)
      : part.type !== 'Literal' && part.type !== 'SingleQuoted' && part.type !== 'AnsiCQuoted',
  )
}
