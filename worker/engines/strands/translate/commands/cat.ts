import { isPattern } from '../constructs/pathnames.ts'
import { type CommandRule, dropFlags } from './command.ts'

/** Options of `cat` that the engine has; lines are numbered there in one file only. */
const OWN = /^-[nu]+$/

/** `cat -A` shows what cannot be seen; `-` is the standard input, which the engine reads without a name. */
export const catVisible: CommandRule = (command, work) => {
  const { words, literals, nameWord } = command
  const options = literals.filter((literal) => /^-./.test(literal ?? ''))
  const files = words.filter((_, index) => !/^-./.test(literals[index] ?? ''))
  const isSeveral =
    files.length > 1 || files.some((word) => isPattern(word, work.facts) || /[$`]/.test(word.text))
  if (
    !literals.includes('--help') &&
    (options.some((literal) => !OWN.test(literal ?? '')) || (options.join('').includes('n') && isSeveral))
  ) {
    work.script.replace(nameWord, work.program('cat-visible'))
    return
  }
  dropFlags(command, /u/g, work)
  if (words.length === 1 && literals[0] === '-' && words[0] !== undefined) work.script.replace(words[0], '')
  else if (literals.includes('-')) work.script.replace(nameWord, work.program('cat-visible'))
}
