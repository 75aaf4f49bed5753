import type { Command, SyntaxNode } from 'unbash'
import { type Facts, nameOf } from './facts.ts'
import type { TranslationOptions, UnseenText } from './translation.ts'
import { walk } from './walk.ts'
import { literalOf } from './words.ts'

/** Commands that run text, by their names as words. */
const RUNS_TEXT: ReadonlySet<string> = new Set(['eval', 'source', '.', 'trap'])
/** Commands that run the command in their arguments in the shell itself. */
const RUNS_COMMAND: ReadonlySet<string> = new Set(['command', 'builtin', 'exec'])
/** A value of an alias with which it is more than the name and arguments of a program. */
const MORE = /[$`(]|\b(?:eval|source|trap|function)\b|(?:^|[\s;&|='"])\.\s/

/** Looks through a script for text that runs in the shell without having been read. */
export function unseenText(
  nodes: readonly SyntaxNode[],
  source: string,
  { scripts, functions }: Pick<TranslationOptions, 'scripts'> & Pick<Facts, 'functions'>,
): UnseenText {
  const found = { runs: false, computes: false, names: /\b(?:eval|source)\b/.test(source) }
  const aliases: string[] = []
  const look = (node: Command) => {
    const name = nameOf(node)
    const literals = node.args.map((arg) => (arg.type === 'Word' ? literalOf(arg) : undefined))
    if (name === undefined) found.computes ||= node.name !== undefined
    else if (name === 'alias') {
      for (const arg of node.args) {
        const text = source.slice(arg.pos, arg.end)
        found.runs ||= MORE.test(text)
        aliases.push(text.replace(/=[\s\S]*/, '').replace(/['"\\]/g, ''))
      }
    } else if (name === 'trap') found.runs ||= node.args.length > 0
    else if (RUNS_TEXT.has(name)) found.runs ||= scripts?.get(node) === undefined
    else if (RUNS_COMMAND.has(name)) {
      found.runs ||= literals.some((literal) => literal !== undefined && RUNS_TEXT.has(literal))
      found.computes ||= literals.some((literal) => literal === undefined)
    } else found.names ||= literals[0] === '.' && functions.has(name)
  }
  for (const node of nodes)
    walk(node, (place) => {
      if (place.node.type === 'Command') look(place.node)
    })
  return { ...found, aliases }
}
