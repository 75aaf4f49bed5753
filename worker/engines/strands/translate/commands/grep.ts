import { isBegun, isPlain, isUngrouped } from '../expressions.ts'
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
export const grep: CommandRule = ({ literals, nameWord }, { script, program }) => {
  if (!literals.includes('--help') && !isOwn(literals)) script.replace(nameWord, program('grep'))
}

/** `egrep` and `fgrep` are `grep` with an option. */
export function grepWith(option: string): CommandRule {
  return ({ nameWord }, { script, program }) => script.replace(nameWord, `${program('grep')} ${option}`)
}

function isOwn(literals: readonly (string | undefined)[]): boolean {
  let flags = ''
  for (let at = 0; at < literals.length; at++) {
    const literal = literals[at]
    if (literal === undefined) return false
    if (CHOOSING.test(literal)) continue
    if (OWN.test(literal) && literal !== '-') flags += literal
    else if (COUNTED.test(literal)) {
      flags += literal
      if (!/\d$/.test(literal)) at++
    } else {
      // Of the current directory the engine names files without its dot.
      const files = /[rR]/.test(flags) && !/h/.test(flags) ? DIRECTORY : FILE
      return (
        isSame(literal, flags) &&
        literals.slice(at + 1).every((file = '') => files.test(file) || CHOOSING.test(file))
      )
    }
  }
  return false
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
