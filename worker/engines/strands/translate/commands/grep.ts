import { isPattern } from '../constructs/pathnames.ts'
import { isBegun, isPlain, isUngrouped } from '../expressions.ts'
import { OF_PERL } from '../programs/grep-perl.ts'
import { around, type Place } from '../walk.ts'
import type { CommandRule } from './command.ts'

/** Flags that the engine's `grep` has, and those whose value is the next word. */
const OWN = /^-[EFivcnoqrRwxhH]*$/
const COUNTED = /^-[EFivcnoqrRwxhH]*[ABCm]\d*$/
const FILE = /^(?!-)/
const DIRECTORY = /^(?!-|\.?\/*$)/
const CHOOSING = /^--(?:include|exclude|exclude-dir)=./

/**
 * `grep` of the engine reads every pattern as one of its own dialect. A pattern that means the same there, with options that
 * it has, is left to it; others are for a program, which looks at them when they are known.
 */
export const grep: CommandRule = ({ node, words, literals, nameWord }, work, place) => {
  const { script, program, facts } = work
  if (literals.includes('--help')) return
  if (isBelow(literals) && node.redirects.length === 0 && place !== undefined && isAlone(place)) {
    script.replace(nameWord, '__ssr_grep_below')
    return
  }
  // Whether such files are there is known when it runs.
  const isUnsure = words.some((word) => isPattern(word, facts) || /\$\(|`/.test(word.text))
  if (isUnsure || !isOwn(literals)) script.replace(nameWord, program(programFor(literals)))
}

/** Another program runs `grep` whose own would be wrong. */
export const grepOfMore: CommandRule = ({ literals, nameWord }, { script, program }) =>
  script.replace(nameWord, program(programFor(literals)))

/** The program for these words: what only Perl's patterns have is looked for by one of its own. */
function programFor(literals: readonly (string | undefined)[]): string {
  const has = (pattern: RegExp) => literals.some((literal) => pattern.test(literal ?? ''))
  return has(/^-\w*P|^--perl-regexp$/) && has(OF_PERL) ? 'grep-perl' : 'grep'
}

/** `egrep` and `fgrep` are `grep` with an option. */
export function grepWith(option: string): CommandRule {
  return ({ nameWord }, { script, program }) => script.replace(nameWord, `${program('grep')} ${option}`)
}

/** Whether a search begins in the current directory, and each line of what it prints begins with the name of a file. */
function isBelow(literals: readonly (string | undefined)[]): boolean {
  const [flags = '', pattern = '', ...rest] = literals
  const [directory, ...others] = rest.filter((one) => !CHOOSING.test(one ?? ''))
  return (
    /^-[EFivcnwx]*[rR][EFivcnwx]*$/.test(flags) &&
    /^\.\/*$/.test(directory ?? '') &&
    others.length === 0 &&
    isSame(pattern, flags)
  )
}

/** Whether what a command prints goes where that of the script goes. */
function isAlone(place: Place): boolean {
  return around(place, 'Pipeline', 'Redirected') === undefined
}

function isOwn(literals: readonly (string | undefined)[]): boolean {
  return filesOfGrep(literals) !== undefined
}

/** Which words of a `grep` that may be the engine's own are files; undefined where it is another's. */
export function filesOfGrep(
  literals: readonly (string | undefined)[],
): { readonly files: readonly number[]; readonly isRecursive: boolean } | undefined {
  let flags = ''
  for (let at = 0; at < literals.length; at++) {
    const literal = literals[at]
    if (literal === undefined) return undefined
    if (CHOOSING.test(literal)) continue
    if (OWN.test(literal) && literal !== '-') flags += literal
    else if (COUNTED.test(literal)) {
      flags += literal
      if (!/\d$/.test(literal)) at++
    } else {
      // Of the current directory the engine names files without its dot.
      const allowed = /[rR]/.test(flags) && !/h/.test(flags) ? DIRECTORY : FILE
      const isFile = (file = '') => allowed.test(file) || CHOOSING.test(file)
      if (!isSame(literal, flags) || !literals.slice(at + 1).every(isFile)) return undefined
      const files = literals.flatMap((file, index) => (index > at && !CHOOSING.test(file ?? '') ? index : []))
      // Of its standard input the engine tells no name.
      if (/H/.test(flags) && files.length === 0) return undefined
      return { files, isRecursive: /[rR]/.test(flags) }
    }
  }
  return undefined
}

/** Whether a pattern means the same to the engine. */
function isSame(pattern: string, flags: string): boolean {
  const isCut = /m0|m.*[ABC]|[ABC].*m/.test(flags)
  if (isCut || pattern.startsWith('-') || (/w/.test(flags) && !/^\w(?:.*\w)?$/.test(pattern))) return false
  if (/F/.test(flags)) return !pattern.includes('\n')
  const isExtended = /E/.test(flags)
  // Of an empty match the engine prints an empty line.
  return /o/.test(flags) ? isBegun(pattern) && isUngrouped(pattern, isExtended) : isPlain(pattern, isExtended)
}
