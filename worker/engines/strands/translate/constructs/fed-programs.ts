import type { Command, CommandNode, Word, WordPart } from 'unbash'
import { nameOf } from '../facts.ts'
import { isInput } from '../input.ts'
import type { Place } from '../walk.ts'
import { literalOf } from '../words.ts'
import type { Rule, Work } from '../work.ts'

/** How a program of ours is called, and nothing else. */
const CALL = /^lua \S+\/bin\/(\S+)(?: __ssr_(?:text|raw))?$/

/** Programs of ours that refuse an empty input of which nothing is known. */
const SURE: ReadonlySet<string> = new Set('base64 cmp diff md5sum od sha1sum sha256sum xxd'.split(' '))

/** What prints text only. */
const TEXTUAL: ReadonlySet<string> = new Set(
  'awk basename cut date dirname echo env find grep head jq ls printf pwd sed seq sort stat tail tr uniq wc'.split(
    ' ',
  ),
)

/**
 * Lua reads nothing of an input that is no UTF-8: a program of ours gets the names of the files that its input comes from, so that it
 * can tell such an input from an empty one.
 */
export const fedProgram: Rule<'Command'> = (node, work, place) => {
  const name = programOf(node, work)
  if (name === undefined) return
  if (node.redirects.some(isInput)) {
    const input = name === 'wc' ? undefined : fileRead(node)
    if (input !== undefined) feed(node.name, [input], work)
    return
  }
  const words = sourceOf(before(node, place), work)
  if (words !== undefined && (words.length > 0 || SURE.has(name))) feed(node.name, words, work)
}

/** Whether what a command reads is text. */
export function isText(node: Command, work: Work, place: Place): boolean {
  const inputs = node.redirects.filter(isInput)
  return inputs.length > 0
    ? inputs.every(({ type }) => type !== 'Redirect')
    : sourceOf(before(node, place), work)?.length === 0
}

/** Whether what a command reads is in files whose names are known, so that a program of ours can tell what they hold. */
export function readsFiles(node: Command, work: Work, place: Place): boolean {
  return node.redirects.some(isInput)
    ? fileRead(node) !== undefined
    : (sourceOf(before(node, place), work)?.length ?? 0) > 0
}

/** The file that is the input of a command, where a program can open it itself. */
export function fileRead({ redirects }: Command): Word | undefined {
  const [input, ...others] = redirects.filter(isInput)
  if (input?.type !== 'Redirect' || input.operator !== '<' || others.length > 0) return undefined
  return isFile(input.target) ? input.target : undefined
}

/** The commands of a pipeline before one. */
function before(node: Command, { outer }: Place): readonly CommandNode[] {
  if (outer?.node.type !== 'Pipeline') return []
  return outer.node.commands.slice(0, Math.max(outer.node.commands.indexOf(node), 0))
}

/** The program of ours that a command calls. */
function programOf({ name }: Command, { script }: Work): string | undefined {
  return name === undefined ? undefined : CALL.exec(script.text(name))?.[1]
}

function feed(name: Word | undefined, words: readonly Word[], { script }: Work): void {
  if (name === undefined) return
  const [call = '', ...flags] = script.text(name).split(/(?= __ssr_)/)
  const files = words.map((word) => ` ${script.text(word)}`).join('')
  script.replace(name, `${call} __ssr_fed${files} __ssr_end${flags.join('')}`)
}

/** The files whose bytes come out of commands; undefined where that is not known. */
function sourceOf(commands: readonly CommandNode[], work: Work): readonly Word[] | undefined {
  for (const command of commands.toReversed()) {
    const name = command.type === 'Command' ? nameOf(command) : undefined
    if (command.type !== 'Command' || name === undefined || work.facts.functions.has(name)) return undefined
    if (TEXTUAL.has(name)) return []
    const [input, ...others] = command.redirects.filter(isInput)
    const words = command.args.filter((arg) => arg.type === 'Word')
    if (name === 'cat' && words.length > 0 && words.length === command.args.length)
      return words.every((word) => isRepeatable(word) && literalOf(word)?.startsWith('-') !== true)
        ? words
        : undefined
    if (name !== 'cat' && name !== 'tee') return undefined
    if (input === undefined) continue
    if (input.type !== 'Redirect') return []
    return input.operator === '<' && others.length === 0 && isFile(input.target) ? [input.target] : undefined
  }
  return undefined
}

/** Whether the target of a redirection is a file that a program can open itself. */
function isFile(target: Word | undefined): target is Word {
  return target !== undefined && isRepeatable(target) && !target.text.startsWith('/dev/')
}

/** Whether a word can be expanded twice, and is no pattern. */
function isRepeatable({ parts, text }: Word): boolean {
  return parts === undefined ? !/[*?[{~]/.test(text) : parts.every(isPlain)
}

function isPlain(part: WordPart): boolean {
  if (part.type === 'DoubleQuoted') return part.parts.every(isPlain)
  if (part.type === 'Literal') return !/[*?[{~]/.test(part.text)
  return (
    part.type === 'SingleQuoted' ||
    part.type === 'SimpleExpansion' ||
    (part.type === 'ParameterExpansion' && part.operation === undefined && part.prefix === undefined)
  )
}
