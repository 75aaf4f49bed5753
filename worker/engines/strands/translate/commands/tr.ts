import { readsFiles } from '../constructs/fed-programs.ts'
import type { CommandRule } from './command.ts'

/** Sets that mean the same to the engine: characters, ranges of letters and digits, and the classes that it has. */
const SET =
  /^(?:[a-z]-[a-z]|[A-Z]-[A-Z]|[0-9]-[0-9]|\[:(?:alnum|alpha|digit|lower|space|upper):\]|\\[nrt\\]|[ !-,./0-9:-Z^-~]|\[(?![:=]|.\*)|\]|-$)+$/

/**
 * `tr` of the engine takes `\0` and `[x*]` for other characters, lacks classes, and never says what is missing. Of a file it would take bytes
 * that are no UTF-8 for characters.
 */
export const tr: CommandRule = ({ node, nameWord, literals }, work, place) => {
  if (literals.includes('--help')) return
  if (!isOwn(literals) || (place !== undefined && readsFiles(node, work, place)))
    work.script.replace(nameWord, work.program('tr'))
}

function isOwn(literals: readonly (string | undefined)[]): boolean {
  const [first = '', ...others] = literals
  const isOption = /^-[cCds]+$/.test(first)
  const flags = isOption ? first : ''
  const sets = isOption ? others : literals
  const isDeleting = flags.includes('d')
  const isSqueezing = flags.includes('s')
  // With two sets the engine squeezes what it does not replace, too.
  if (isDeleting ? isSqueezing : /[cC]/.test(flags)) return false
  const wanted = isDeleting || isSqueezing ? 1 : 2
  const [from = '', to = ''] = sets
  if (to.includes('[:') && !/^\[:(?:lower|upper):\]{2}$/.test(from + to)) return false
  return (
    sets.length === wanted &&
    sets.every((set = '') => !set.startsWith('-') && SET.test(set) && isAscending(set))
  )
}

function isAscending(set: string): boolean {
  return [...set.matchAll(/(\w)-(\w)/g)].every(([, from = '', to = '']) => from <= to)
}
