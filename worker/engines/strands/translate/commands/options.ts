import { isPattern } from '../constructs/pathnames.ts'
import { refuse } from '../refusal.ts'
import { takesBytes } from './archives.ts'
import { type CommandRule, standsAlone } from './command.ts'
import { ownOptions } from './own-options.ts'

/** Words of `head` and `tail` that the engine has, or that are written so; `+2` is no file of `tail`. */
const OWN_END = /^(?:-n\+?\d*|-\d+|-|(?![-+]).*)$/

const COUNT = /^[-+]?\d+$/

/** `head -5` and `tail -20` are `-n 5` and `-n 20`; of several files a program shows the ends. */
export const headOrTail: CommandRule = (command, work, place) => {
  const { words, literals, name, nameWord } = command
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
    const isRaw = place !== undefined && takesBytes(command, place)
    script.replace(nameWord, `${work.program(name)}${isRaw ? ' __ssr_raw' : ''}`)
    return
  }
  const first = words[0]
  const [, short] = /^-(\d+)$/.exec(literals[0] ?? '') ?? []
  if (first !== undefined && short !== undefined) script.replace(first, `-n ${short}`)
  if (literals[1] === '-' && words[1] !== undefined) script.replace(words[1], '')
}

/** `sort` of plain lines is the engine's. */
export const sort: CommandRule = ({ literals, nameWord, words }, { script, program }) => {
  const isOption = literals.some((literal) => /^-./.test(literal ?? '') && !/^-[ru]+$/.test(literal ?? ''))
  if (isOption || literals.includes('-') || words.some(({ text }) => text.startsWith('$')))
    script.replace(nameWord, program('sort'))
}

/** `chmod -x` is that of all; the engine takes it for an option. */
export const chmod: CommandRule = ({ words, literals, nameWord }, { script, program }) => {
  const [first] = words
  const [, bits] = /^-([rx]+)$/.exec(literals[0] ?? '') ?? []
  if (first !== undefined && bits !== undefined) script.replace(first, `a-${bits}`)
  else if (literals.some((literal) => /^(?:-R|--recursive)$/.test(literal ?? '')))
    script.replace(nameWord, program('chmod'))
  else if (literals.some((literal) => /^-[^-]|^--./.test(literal ?? '')))
    refuse(`chmod ${literals[0]}`, 'use chmod MODE FILE, or -R')
}

/** The engine has symbolic links only. */
export const ln: CommandRule = (command, work) => {
  const { literals } = command
  const isKnown = literals.every((literal) => literal !== undefined)
  if (isKnown && !literals.some((literal) => /^-\w*s|^--(?:symbolic|help)$/.test(literal ?? '')))
    refuse('ln without -s', 'use ln -s, or cp')
  ownOptions(command, work)
}

/**
 * `mkdir` of the engine makes none of the directories behind one that it cannot make, and says nothing of a file in the place
 * of one. A function asks it for `-p` alone, and a program of ours where it fails.
 */
export const mkdir: CommandRule = (command, work, place) => {
  const { words, literals, nameWord } = command
  const { script } = work
  const options = literals.filter((literal) => literal?.startsWith('-') === true)
  const isOfParents = literals[0] === '-p' && options.length === 1
  if (isOfParents && standsAlone(command, place) && !words.some((word) => isPattern(word, work.facts))) {
    script.replace(nameWord, `__ssr_parents ${work.programFile('mkdir')}`)
    return
  }
  const isOfMode = options.some((option) => /^-[pv]*m|^--mode/.test(option ?? ''))
  if (!isOfMode) ownOptions(command, work)
  const isPlain = literals.length < 2 && options.length === 0
  if (isOfMode || (!isPlain && !literals.includes('--help'))) script.replace(nameWord, work.program('mkdir'))
}

export const readlink: CommandRule = (command, work) => {
  const { words, nameWord } = command
  ownOptions(command, work)
  if (words.length > 1) work.script.replace(nameWord, work.program('readlink'))
}

export const rmdir: CommandRule = (command, work) => {
  const { literals, nameWord } = command
  if (literals.includes('--ignore-fail-on-non-empty')) work.script.replace(nameWord, work.program('rmdir'))
  else ownOptions(command, work)
}

/** The engine has no options of `uniq`, and another width. */
export const uniq: CommandRule = (command, work) => {
  const { literals, nameWord } = command
  if (!literals.some((literal) => /^-\w*[fsw]/.test(literal ?? ''))) ownOptions(command, work)
  work.script.replace(nameWord, work.program('uniq'))
}
