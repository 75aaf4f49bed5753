import { isPattern } from '../constructs/pathnames.ts'
import { refuse } from '../refusal.ts'
import type { CommandRule } from './command.ts'
import { readsFormat, readsTexts } from './escapes.ts'

/** `which` says what `command -v` says. */
export const which: CommandRule = ({ words, literals, nameWord }, { script }) => {
  if (words.length !== 1 || literals[0]?.startsWith('-') === true)
    refuse('which of several names', 'use command -v NAME')
  script.replace(nameWord, 'command -v')
}

/** `ls -d`, `-h` and several files: the engine has no `-d` and `-h`, and puts lines between files. It sorts by name. */
export const ls: CommandRule = ({ words, literals, nameWord }, work) => {
  const { script } = work
  const flags = literals.filter((literal) => literal !== undefined && /^-[A-Za-z1]+$/.test(literal)).join('')
  if (flags.includes('d') && /[^-d1lahA]/.test(flags)) refuse(`ls ${flags}`, 'use ls -ld')
  for (const [index, word] of words.entries()) {
    const literal = literals[index]
    if (literal === '--') return
    if (literal === '--color' || literal?.startsWith('--color=') === true) script.replace(word, '')
    if (literal === undefined || !/^-[A-Za-z1]+$/.test(literal)) continue
    if (/[trS]/.test(literal)) refuse(`ls ${literal}`, 'ls sorts by name only')
  }
  const files = words.filter((_, index) => !/^-./.test(literals[index] ?? ''))
  const isSeveral =
    files.length > 1 || files.some((word) => isPattern(word, work.facts) || /[$`]/.test(word.text))
  if (/[dh]/.test(flags) || (isSeveral && /^[-aAl1]*$/.test(flags)))
    script.replace(nameWord, work.program('ls'))
}

/** `printf` of the engine knows no floating point, and few escapes. */
export const printf: CommandRule = ({ words, literals, nameWord }, work) => {
  if (literals[0] === '-v') refuse('printf -v', 'use name=$(printf …)')
  const first = literals[0] === '--' ? 1 : 0
  const format = literals[first] ?? words[first]?.text ?? ''
  if (
    first === 1 ||
    !readsFormat(words[first]) ||
    (/%[-\d]*b/.test(format) && !readsTexts(words.slice(1))) ||
    /%[-+ #0']*(?:\d+|\*)?(?:\.(?:\d+|\*))?[aefgAEFGqX]|%[-+ #0']*\*|%\(/.test(format) ||
    /%0\d*[di]|%[-+ #]*\d*\.\d/.test(format)
  )
    work.script.replace(nameWord, work.program('printf'))
}

/** What `timeout` cannot do here; others are written as groups before. */
export const timeout: CommandRule = ({ words }) =>
  refuse(
    `timeout ${words.map(({ text }) => text).join(' ')}`.trimEnd(),
    'use timeout SECONDS PROGRAM, with -s, -k or --preserve-status',
  )
