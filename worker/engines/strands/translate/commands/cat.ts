import { type CommandRule, dropFlags } from './command.ts'

/** `cat -A` shows what cannot be seen; `-` is the standard input, which the engine reads without a name. */
export const catVisible: CommandRule = (command, work) => {
  const { words, literals, nameWord } = command
  if (literals.some((literal) => literal !== undefined && /^-[A-Zetv]*[AeEtTv][A-Zetv]*$/.test(literal))) {
    work.script.replace(nameWord, work.program('cat-visible'))
    return
  }
  dropFlags(command, /u/g, work)
  if (words.length === 1 && literals[0] === '-' && words[0] !== undefined) work.script.replace(words[0], '')
  else if (literals.includes('-')) work.script.replace(nameWord, work.program('cat-visible'))
}
