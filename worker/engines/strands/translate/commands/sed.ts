import { isUngrouped } from '../expressions.ts'
import { refuse } from '../refusal.ts'
import type { CommandRule } from './command.ts'

/**
 * `sed` of the engine reads every expression as one of its own dialect, and finds nothing where it cannot read one. A script
 * that means the same there is left to it; others are for a program, which looks at them when they are known.
 */
export const sed: CommandRule = ({ words, literals, nameWord }, work) => {
  if (words.some(({ text }) => /s(.).*\1.*\\[ULEul].*\1/.test(text)))
    refuse('\\U, \\L or \\E in sed', 'use tr or lua')
  if (!literals.includes('--help') && !isOwn(literals)) work.script.replace(nameWord, work.program('sed'))
}

function isOwn(literals: readonly (string | undefined)[]): boolean {
  let isExtended = false
  for (const [at, literal] of literals.entries()) {
    if (literal === undefined) return false
    if (/^-[nEri]+$/.test(literal)) isExtended ||= /[Er]/.test(literal)
    else {
      const files = literals.slice(at + 1)
      return isPlainScript(literal, isExtended) && files.every((file = '') => !file.startsWith('-'))
    }
  }
  return false
}

function isPlainScript(script: string, isExtended: boolean): boolean {
  return script.split(/[;\n]/).every((command) => isPlainCommand(command.trim(), isExtended))
}

/** Whether a command is `d`, `p`, `q` or `s`, for all lines or those of a number or a plain expression. */
function isPlainCommand(command: string, isExtended: boolean): boolean {
  const [, found, rest = ''] = /^(?:\d+|\$|\/([^/\\]+)\/)?(?:,(?:\d+|\$))?!?([dpqs].*)$/.exec(command) ?? []
  if (found !== undefined && !isUngrouped(found, isExtended)) return false
  if (/^[dpq]$/.test(rest)) return true
  const [, , expression = '', replacement = ''] =
    /^s([/|,#@:])((?:(?!\1).)+)\1((?:(?!\1)[^\\]|\\[\d&nt])*)\1g?p?$/.exec(rest) ?? []
  return expression !== '' && isUngrouped(expression, isExtended) && !replacement.includes('\n')
}
