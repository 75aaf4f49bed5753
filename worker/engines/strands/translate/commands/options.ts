import { isPattern } from '../constructs/pathnames.ts'
import { refuse } from '../refusal.ts'
import { type CommandRule, dropFlags } from './command.ts'

/** `head -5` and `tail -20` are `-n 5` and `-n 20`; of several files a program shows the ends. */
export const headOrTail: CommandRule = ({ words, literals, name, nameWord }, work) => {
  const { script } = work
  const files = words.filter((_, index) => !/^-./.test(literals[index] ?? '') && literals[index - 1] !== '-n')
  if (files.length > 1 || files.some((word) => isPattern(word, work.facts))) {
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

/** The flags of `grep` that change nothing here. */
export const grep: CommandRule = (command, work) => {
  const { words, literals, node } = command
  const last = words.at(-1)
  const flags = literals.filter((literal) => /^-[A-Za-z]+$/.test(literal ?? '')).join('')
  // Of one file the engine prints an empty name.
  if (last !== undefined && /l/.test(flags) && !/[rR]/.test(flags) && words.length > 2)
    work.script.replace(last, `${work.script.text(last)} /dev/null`)
  for (const [index, word] of words.entries()) {
    const literal = literals[index]
    if (literal === undefined) continue
    if (/^--colou?r(?:=.*)?$/.test(literal)) work.script.replace(word, '')
    const [, flags = '', count] = /^-([A-Za-z]*)m(\d*)$/.exec(literal) ?? []
    if (count === undefined) continue
    const number = count === '' ? literals[index + 1] : count
    const next = words[index + 1]
    if (number === undefined || !/^\d+$/.test(number)) refuse('grep -m with this number', 'use head -n')
    work.script.replace(word, flags === '' ? '' : `-${flags}`)
    if (count === '' && next !== undefined) work.script.replace(next, '')
    const outward = node.redirects.filter((one) => one.type === 'Redirect' && one.operator.includes('>'))
    const rest = outward.map((one) => work.script.text(one)).join(' ')
    for (const one of outward) work.script.replace(one, '')
    work.script.compounded.add(node)
    work.script.replace(
      node,
      `{ ${work.script.text(node)} | ${work.program('__first')} ${number}; } ${rest}`.trimEnd(),
    )
    return
  }
}

/** `sed` of the engine knows no change of case. */
export const sed: CommandRule = ({ words }) => {
  if (words.some(({ text }) => /s(.).*\1.*\\[ULEul].*\1/.test(text)))
    refuse('\\U, \\L or \\E in sed', 'use tr or lua')
}

/** `sort` of plain lines is the engine's. */
export const sort: CommandRule = ({ literals, nameWord, words }, { script, program }) => {
  if (literals.some((literal) => /^-[bdfgimnrsuz]*h/.test(literal ?? ''))) refuse('sort -h', 'use sort -n')
  const isOption = literals.some((literal) => /^-./.test(literal ?? '') && !/^-[ru]+$/.test(literal ?? ''))
  if (isOption || words.some(({ text }) => text.startsWith('$'))) script.replace(nameWord, program('sort'))
}
