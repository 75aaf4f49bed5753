import { ACTS } from '../constructs/missing-files.ts'
import { isPattern } from '../constructs/pathnames.ts'
import { isOutput } from '../outputs.ts'
import { isStage } from '../walk.ts'
import { type CommandRule, dropFlags } from './command.ts'

/** Options of `cat` that the engine has; lines are numbered there in one file only. */
const OWN = /^-[nu]+$/

/**
 * `cat -A` shows what cannot be seen; `-` is the standard input, which the engine reads without a name. What a pattern or a substitution
 * names is read by ours where the output goes on as text: of bytes that are no UTF-8 the engine's leaves nothing.
 */
export const catVisible: CommandRule = (command, work, place) => {
  const { words, literals, nameWord } = command
  const options = literals.filter((literal) => /^-./.test(literal ?? ''))
  const files = words.filter((_, index) => !/^-./.test(literals[index] ?? ''))
  const isPrinted = !command.node.redirects.some(isOutput)
  const hasPattern = files.some((word) => isPattern(word, work.facts))
  const isOnce = place !== undefined && !isStage(place) && files.some(({ text }) => ACTS.test(text))
  const isSeveral = files.length > 1 || hasPattern || files.some((word) => /[$`]/.test(word.text))
  if (
    !literals.includes('--help') &&
    (((hasPattern || isOnce) && isPrinted) ||
      options.some((literal) => !OWN.test(literal ?? '')) ||
      (options.join('').includes('n') && isSeveral))
  ) {
    work.script.replace(nameWord, work.program('cat-visible'))
    return
  }
  dropFlags(command, /u/g, work)
  if (words.length === 1 && literals[0] === '-' && words[0] !== undefined) work.script.replace(words[0], '')
  else if (literals.includes('-')) work.script.replace(nameWord, work.program('cat-visible'))
}
