import { quoted } from '../../quoting.ts'
import { isPattern } from '../constructs/pathnames.ts'
import { refuse } from '../refusal.ts'
import { oneWord } from '../words.ts'
import type { CommandRule } from './command.ts'
import { ownOptions, withLetters } from './own-options.ts'
import { command } from './type.ts'

/** `which` says what `command -v` says. */
export const which: CommandRule = (one, work) => {
  const option = one.literals.find((literal) => literal?.startsWith('-') === true)
  if (option !== undefined || one.words.length === 0)
    refuse(`which ${option ?? ''}`.trimEnd(), 'use command -v NAME')
  work.script.compounded.add(one.node)
  command(one, work)
}

/**
 * `ls` of one directory by its names is the engine's: it has no `-d`, `-h` and `-A`, no total, `.` and `..`, and puts lines
 * between files. It sorts by name.
 */
export const ls: CommandRule = (command, work) => {
  const { words, nameWord } = command
  const { script } = work
  for (const [index, word] of words.entries())
    if (/^--color(?:=|$)/.test(command.literals[index] ?? '')) script.replace(word, '')
  ownOptions(command, work)
  const literals = command.literals.map((literal) => withLetters('ls', literal))
  const flags = literals.filter((literal) => literal !== undefined && /^-[A-Za-z1]+$/.test(literal)).join('')
  if (flags.includes('t'))
    refuse('ls -t', 'files have no times here that tell their order: sort by name or with -S')
  if (flags.includes('d') && /[^-d1lahARpF]/.test(flags)) refuse(`ls ${flags}`, 'use ls -ld')
  if (literals.includes('--')) return
  const files = words.filter((_, index) => !/^-./.test(literals[index] ?? ''))
  const isSeveral =
    files.length > 1 || files.some((word) => isPattern(word, work.facts) || /[$`]/.test(word.text))
  if (/[dhalARrSpF]/.test(flags) || isSeveral) script.replace(nameWord, work.program('ls'))
}

/** `basename` of the engine has no options, and nothing is left of `/`. */
export const basename: CommandRule = ({ words, literals, nameWord }, { script, program }) => {
  const [path = ''] = literals
  const isOwn = literals[0] !== undefined && words.length < 3 && !/^-|^\/+$/.test(path)
  if (!isOwn && path !== '--help') script.replace(nameWord, program('basename'))
}

/** `wc` of a file that is its input knows how wide its columns are. */
export const wc: CommandRule = ({ node, nameWord }, { script, program }) => {
  const input = node.redirects.findLast((one) => one.type !== 'Redirect' || one.operator.startsWith('<'))
  const isFile =
    input?.type === 'Redirect' && input.operator === '<' && input.target?.text.startsWith('/dev/') === false
  const path = isFile && input.target !== undefined ? oneWord(input.target, script) : "''"
  script.replace(nameWord, `${program('wc')}${isFile ? ` __file ${path}` : ''}`)
}

/** `dirname` of the engine takes each slash for the end of a name. */
export const dirname: CommandRule = ({ words, literals }, { script }) => {
  for (const [index, word] of words.entries()) {
    const [path, before = '', name = ''] =
      /^(.*[^/])?\/+([^/]*)$/.exec(literals[index]?.replace(/(?<=[^/])\/+$/, '') ?? '') ?? []
    if (path !== undefined) script.replace(word, quoted(`${before}/${name}`))
    else if (/[^/]\/+$/.test(literals[index] ?? '')) script.replace(word, '.')
  }
}

/** What `timeout` cannot do here; others are written as groups before. */
export const timeout: CommandRule = ({ words }) =>
  refuse(
    `timeout ${words.map(({ text }) => text).join(' ')}`.trimEnd(),
    'use timeout SECONDS PROGRAM, with -s, -k or --preserve-status',
  )
