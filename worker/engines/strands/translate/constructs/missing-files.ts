import type { Command, Word } from 'unbash'
import { type Named, named } from '../commands/command.ts'
import { filesOfGrep } from '../commands/grep.ts'
import { functionText } from '../function-text.ts'
import { isStage, type Place } from '../walk.ts'
import { isOneWord, literalOf } from '../words.ts'
import type { Rule, Work } from '../work.ts'
import { isJoined, joinedCall } from './one-stream.ts'

/** The files of a command that the engine's own program reads, and what each of them must be. */
interface Files {
  readonly words: readonly Word[]
  readonly test: '-e' | '-f'
  /** The program that is right about all files. */
  readonly program: string
}

/** A command, and what it is where a file of it is missing. */
interface Alternative {
  /** Commands whose status says whether all files are there. */
  readonly there: string
  readonly text: string
  /** How `__ssr_fits` is asked for the same of the only file, and the path of the other program; undefined of several. */
  readonly sole: string | undefined
  /** The engine's program reads no file behind one that is missing. */
  readonly stops: boolean
}

/**
 * Of a file that is missing the engine's programs give another status, and some read none of the files behind it: then a
 * program of ours runs in their place. Where another command reads the output, there is no place for a choice.
 */
export const missingFiles: Rule<'Command'> = (node, work, place) => {
  const { script, outputs } = work
  const other = outputs.has(node) ? undefined : withMissing(node, work)
  if (other === undefined) return
  if (isStage(place)) {
    if (work.pipefail || isLast(node, place) || other.stops || isJoined(node.redirects.at(-1)))
      script.replace(node, other.text)
    return
  }
  const text = script.text(node)
  if (other.sole !== undefined && node.redirects.length === 0 && !isStatement(place)) {
    script.replace(node, `__ssr_reading ${other.sole} ${text}`)
    return
  }
  const choice = `if ${other.there}; then ${text}; else ${other.text}; fi`
  if (isStatement(place)) {
    script.replace(node, choice)
    return
  }
  const name = `__ssr_files_${work.mark}_${work.next()}`
  work.hoist(functionText(name, [choice]))
  script.replace(node, `${name} "$@"`)
}

/** Whether nothing asks for the status of a command, and nothing but it is in its statement. */
export function isStatement({ outer }: Place): boolean {
  return (
    outer?.node.type === 'Statement' && outer.node.background !== true && outer.outer?.node.type === 'Script'
  )
}

/** Redirections of messages, the name of a program of the engine, and the rest. */
const OWN_TEXT = /^((?:2>>?\s?\S+ )?)(?:cat|grep|sed|sort)((?:\s[\s\S]*)?)$/

/** Expansions that may do more than give a value: they must not be expanded twice. */
export const ACTS = /\$\(|`|\$\{[^}]*[^\w}]/

/** The other form of a command; undefined where the engine is right in any case. */
export function withMissing(node: Command, work: Work): Alternative | undefined {
  const { script, facts } = work
  const command = named(node)
  if (command === undefined || node.prefix.length > 0 || facts.functions.has(command.name)) return undefined
  if (script.compounded.has(node)) return undefined
  const [, before, after] = OWN_TEXT.exec(script.text(node).trimEnd()) ?? []
  const files = after === undefined ? undefined : filesOf(command)
  if (files === undefined || files.words.some(({ text }) => ACTS.test(text))) return undefined
  const tests = files.words.map((word) => {
    const test = `'[' ${files.test} ${script.text(word)} ']'`
    const isEnded = command.name === 'sed' ? ` && __ssr_ended ${script.text(word)}` : ''
    // Of a word that becomes several the test fails, and the other program is as right.
    return literalOf(word) === undefined && !word.text.startsWith('"')
      ? `${test} 2> /dev/null${isEnded}`
      : test + isEnded
  })
  const isBoth = before === '2>&1 ' || isJoined(node.redirects.at(-1))
  const program = isBoth ? joinedCall(work.program(files.program)) : work.program(files.program)
  const [only, ...others] = files.words
  const isSole = only !== undefined && others.length === 0 && isOneWord(only) && before === ''
  return {
    there: tests.join(' && '),
    text: `${before}${program}${after}`,
    sole: isSole ? `${files.test} ${script.text(only)} ${work.programFile(files.program)}` : undefined,
    stops: command.name !== 'grep' && files.words.length > 1,
  }
}

function filesOf({ name, words, literals }: Named): Files | undefined {
  if (name === 'grep') {
    const found = filesOfGrep(literals)
    const files = words.filter((_, index) => found?.files.includes(index))
    if (found === undefined || files.length === 0) return undefined
    return { words: files, test: found.isRecursive ? '-e' : '-f', program: 'grep' }
  }
  const first = literals.findIndex((literal) => literal?.startsWith('-') !== true)
  const files = first === -1 ? [] : words.slice(name === 'sed' ? first + 1 : first)
  if (files.length < (name === 'cat' ? 2 : 1)) return undefined
  return { words: files, test: '-f', program: name === 'cat' ? 'cat-visible' : name }
}

function isLast(node: Command, { outer }: Place): boolean {
  return outer?.node.type === 'Pipeline' && outer.node.commands.at(-1) === node
}
