import { isPattern } from '../constructs/pathnames.ts'
import { type CommandRule, dropFlags } from './command.ts'

/** Words of `head` and `tail` that the engine has, or that are written so; `+2` is no file of `tail`. */
const OWN_END = /^(?:-n\+?\d*|-\d+|-|(?![-+]).*)$/

const COUNT = /^[-+]?\d+$/

/** `head -5` and `tail -20` are `-n 5` and `-n 20`; of several files a program shows the ends. */
export const headOrTail: CommandRule = ({ words, literals, name, nameWord }, work) => {
  const { script } = work
  const files = words.filter((_, index) => !/^-./.test(literals[index] ?? '') && literals[index - 1] !== '-n')
  // All lines but the last ones.
  const isRest = literals.some(
    (literal, at) =>
      /^-n-|^-\d*-\d/.test(literal ?? '') || (literal === '-n' && /^-/.test(literals[at + 1] ?? '')),
  )
  const isOwn = literals.every((literal, at) =>
    literals[at - 1] === '-n' ? COUNT.test(literal ?? '1') : OWN_END.test(literal ?? ''),
  )
  if (
    isRest ||
    (!isOwn && !literals.includes('--help')) ||
    files.length > 1 ||
    files.some((word) => isPattern(word, work.facts))
  ) {
    script.replace(nameWord, work.program(name))
    return
  }
  const first = words[0]
  const [, short] = /^-(\d+)$/.exec(literals[0] ?? '') ?? []
  if (first !== undefined && short !== undefined) script.replace(first, `-n ${short}`)
  if (literals[1] === '-' && words[1] !== undefined) script.replace(words[1], '')
}

/** Copying over a file needs no `-f`. */
export const copyOrMove: CommandRule = (command, work) => dropFlags(command, /f/g, work)

/** `sort` of plain lines is the engine's. */
export const sort: CommandRule = ({ literals, nameWord, words }, { script, program }) => {
  const isOption = literals.some((literal) => /^-./.test(literal ?? '') && !/^-[ru]+$/.test(literal ?? ''))
  if (isOption || literals.includes('-') || words.some(({ text }) => text.startsWith('$')))
    script.replace(nameWord, program('sort'))
}

/** A program of the engine that lacks some options: with one of them ours runs. */
function withOption(option: RegExp): CommandRule {
  return ({ literals, nameWord, name }, { script, program }) => {
    if (literals.some((literal) => option.test(literal ?? ''))) script.replace(nameWord, program(name))
  }
}

export const chmod = withOption(/^-R$|^--recursive$/)

export const ln = withOption(/^-\w*f/)

export const mkdir = withOption(/^-p?m|^--mode/)

export const readlink = withOption(/^-[fe]$/)
