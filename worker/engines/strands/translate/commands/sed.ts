import type { Word } from 'unbash'
import { quoted } from '../../quoting.ts'
import { isPattern } from '../constructs/pathnames.ts'
import { isUngrouped } from '../expressions.ts'
import type { Facts } from '../facts.ts'
import { substitutionsOf } from '../lua-substitutions.ts'
import { isOneWord } from '../words.ts'
import type { Work } from '../work.ts'
import type { CommandRule, Named } from './command.ts'

/**
 * `sed` of the engine reads every expression as one of its own dialect, and finds nothing where it cannot read one. A script
 * that means the same there is left to it; others are for a program, which looks at them when they are known.
 */
export const sed: CommandRule = (command, work) => replaced(command, work, false)

/** The same where another program adds files. */
export const sedOfMore: CommandRule = (command, work) => replaced(command, work, true)

function replaced(command: Named, work: Work, takesMore: boolean): void {
  if (!takesMore && replacesTexts(command, work)) return
  if (!command.literals.includes('--help') && !isOwn(command, work.facts, takesMore))
    work.script.replace(command.nameWord, work.program('sed'))
}

/** Scripts that only replace texts in files, by a small program. @returns whether it is one */
function replacesTexts(command: Named, { script, program, facts }: Work): boolean {
  const { nameWord, words, literals } = command
  const at = literals.findIndex((literal) => literal === undefined || !/^-[Eri]+$/.test(literal))
  const [word, text] = [words[at], literals[at]]
  if (word === undefined || text === undefined || at === words.length - 1) return false
  if (literals.slice(at + 1).some((file = '') => file.startsWith('-'))) return false
  const isExtended = literals.slice(0, at).some((option = '') => /[Er]/.test(option))
  const found = substitutionsOf(text, isExtended)
  if (found === undefined) return false
  const isEngines = isOwn(command, facts, false)
  const parts = found.flatMap(({ pattern, replacement, isGlobal, repeats }) => [
    quoted(pattern),
    quoted(replacement),
    `${isGlobal ? 'g' : '1'}${repeats && isEngines ? 'r' : ''}`,
  ])
  script.replace(nameWord, program('sed-texts'))
  script.replace(word, [quoted(text), found.length, ...parts].join(' '))
  return true
}

function isOwn({ words, literals }: Named, facts: Facts, takesMore: boolean): boolean {
  let isExtended = false
  let isInPlace = false
  for (const [at, literal] of literals.entries()) {
    if (literal === undefined) return false
    if (/^-[nEri]+$/.test(literal)) {
      isExtended ||= /[Er]/.test(literal)
      isInPlace ||= literal.includes('i')
    } else {
      const files = literals.slice(at + 1)
      if (!isPlainScript(literal, isExtended) || files.some((file = '') => file.startsWith('-'))) return false
      // Only in place does bash number the lines of each file anew, as the engine does always.
      return (
        (isInPlace && !/q/.test(literal)) ||
        isOfLines(literal) ||
        !(takesMore || isSeveral(words.slice(at + 1), facts))
      )
    }
  }
  return false
}

/** Whether each command looks at one line alone, wherever that stands. */
function isOfLines(script: string): boolean {
  return script.split(/[;\n]/).every((command) => /^\s*(?:\/[^/\\]+\/)?!?[dps]/.test(command))
}

/** Whether words may be several files. */
function isSeveral(files: readonly Word[], facts: Facts): boolean {
  const [file, ...others] = files
  if (file === undefined) return false
  return others.length > 0 || isPattern(file, facts) || !isOneWord(file)
}

function isPlainScript(script: string, isExtended: boolean): boolean {
  return script.split(/[;\n]/).every((command) => isPlainCommand(command.trim(), isExtended))
}

/** Whether a command is `d`, `p`, `q` or `s`, for all lines or those of a number or a plain expression. */
function isPlainCommand(command: string, isExtended: boolean): boolean {
  const [, first, found, last, rest = ''] =
    /^(\d+|\$|\/([^/\\]+)\/)?(?:,(\d+|\$))?!?([dpqs].*)$/.exec(command) ?? []
  // The engine goes on to the end where a range does not end behind its first line.
  if (last !== undefined && (first === '$' || (last !== '$' && !(Number(first) < Number(last))))) return false
  if (found !== undefined && !isUngrouped(found, isExtended)) return false
  if (/^[dpq]$/.test(rest)) return true
  const [, , expression = '', replacement = ''] =
    /^s([/|,#@:])((?:(?!\1).)+)\1((?:(?!\1)[^\\]|\\[\d&nt])*)\1g?p?$/.exec(rest) ?? []
  return expression !== '' && isUngrouped(expression, isExtended) && !replacement.includes('\n')
}
