import { parse, type SyntaxNode } from 'unbash'
import { PRELUDE } from '../../guards/prelude.ts'
import { quoted } from '../../quoting.ts'
import { Refusal, refuse } from '../refusal.ts'
import { wordsOfShell } from '../runs.ts'
import { sessionOfOptions } from '../session-facts.ts'
import { some, walk } from '../walk.ts'
import { literalOf } from '../words.ts'
import type { Work } from '../work.ts'
import type { Named } from './command.ts'

/** Stands in a script for the name that `xargs -I` or `find` puts there. */
const ITEM = 'ssritemq7'

const ARGUMENT = 'pass the name as an argument: sh -c \'… "$1"\' _ {}'
const LOOP = 'use a loop: while read -r x; do …; done'

/**
 * `sh -c TEXT` that `xargs` or `find` runs: a program runs the translation of the text.
 *
 * @param shell - the shell and its words, of which the last ones may follow when it runs
 * @param sign - what the other program replaces in the words; undefined where it replaces nothing
 */
export function innerShell(
  { name, nameWord, words }: Named,
  by: string,
  sign: string | undefined,
  work: Work,
): void {
  const found = wordsOfShell(name, words)
  if (found?.isText !== true) refuse(`${name} without -c in ${by}`, LOOP)
  const { options, others } = found
  const [textWord] = others
  const source = literalOf(textWord)
  if (textWord === undefined || source === undefined)
    refuse(`${name} -c of a text with expansions`, 'give the values as arguments: $1')
  const item = sign === undefined || !source.includes(sign) ? undefined : sign
  const text = item === undefined ? source : withItem(source, item)
  const session = sessionOfOptions(options)
  const translation = work.translate(text, { isInner: true, inParts: true, session })
  if (translation instanceof Refusal) throw translation
  if (translation === undefined)
    refuse('a script with a syntax error', 'look for a quote, bracket or keyword')
  if (by === 'find' && translation.reads) refuse('a script that reads the input of find', LOOP)
  for (const [, content] of translation.files)
    if (content.includes(ITEM)) refuse(`${sign} in a part of a script`, ARGUMENT)
  work.add(translation.files)
  const sets = options.map((option) =>
    option.endsWith('o pipefail') ? '__ssr_pipefail=1; ' : `set ${option}; `,
  )
  const script = work.file(`__ssr_pipefail=\n${sets.join('')}\n${translation.text}\n`)
  const kind = item === undefined ? 'none' : isQuoted(text) ? 'quoted' : 'plain'
  const program = `${work.program('__shell')} ${work.file(PRELUDE)} ${script} ${kind}`
  if (sign !== undefined && `${program} ${name}`.includes(sign)) refuse(`${by} -I ${sign}`, 'use -I{}')
  const call = `${program} ${item === undefined ? "''" : quoted(item)} ${quoted(name)}`
  work.script.replace({ pos: nameWord.pos, end: textWord.end }, call)
}

/** The script with a word in the place of the sign. What the name would be must not matter to the translation. */
function withItem(source: string, sign: string): string {
  const pieces = source.split(sign)
  const isWord = pieces.every(
    (piece, index) =>
      (index === 0 || !/^[=([]/.test(piece)) &&
      (index === pieces.length - 1 || !/(?:\$\w*|[%\\!~&]|(?:^|\s)-\S*)$/.test(piece)),
  )
  if (!isWord) refuse(`${sign} inside a word of a script`, ARGUMENT)
  const text = pieces.join(ITEM)
  walk(parse(text), ({ node }) => {
    if (node.type === 'Command' && node.name?.text.includes(ITEM) === true)
      refuse(`${sign} as the name of a command`, ARGUMENT)
    if (NUMERIC.has(node.type) && text.slice(node.pos, node.end).includes(ITEM))
      refuse(`${sign} in a test or in arithmetic`, ARGUMENT)
  })
  return text
}

const NUMERIC: ReadonlySet<SyntaxNode['type']> = new Set([
  'ArithmeticCommand',
  'ArithmeticExpansion',
  'ArithmeticFor',
  'ParameterExpansion',
  'TestCommand',
  'HereDoc',
  'HereString',
])

/** Whether the item is in double quotes wherever it stands. */
function isQuoted(text: string): boolean {
  let count = 0
  some(parse(text), ({ node, outer }) => {
    if (node.type === 'Literal' && outer?.node.type === 'DoubleQuoted')
      count += node.text.split(ITEM).length - 1
    return false
  })
  return count === text.split(ITEM).length - 1
}
