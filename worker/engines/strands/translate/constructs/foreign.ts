import { refuse } from '../refusal.ts'
import { isMisread, patternWord } from '../words.ts'
import type { Rule } from '../work.ts'

/** What only bash has, and cannot be written otherwise. */
export const arrayValue: Rule<'ArrayValue'> = () =>
  refuse('an array (name=(…))', 'use plain variables and "$@"')

export const assignmentIndex: Rule<'Assignment'> = ({ index }) => {
  if (index !== undefined) refuse('an array (name[…]=)', 'use plain variables')
}

export const processSubstitution: Rule<'ProcessSubstitution'> = ({ operator }) =>
  refuse(`process substitution (${operator}(…))`, 'write to a file first')

export const coproc: Rule<'Coproc'> = () => refuse('coproc')

export const select: Rule<'Select'> = () => refuse('select', 'use case')

export const extendedGlob: Rule<'ExtendedGlob'> = ({ text }) =>
  refuse(`the pattern ${text}`, 'use case or grep -E')

export const descriptorVariable: Rule<'FileDescriptorVariable'> = ({ name }) =>
  refuse(`{${name}} as a file descriptor`, 'use a number')

/** Patterns of `case`, and what ends their commands. */
export const caseItem: Rule<'CaseItem'> = ({ terminator, pattern }, { script }) => {
  for (const one of pattern) if (isMisread(one)) script.replace(one, patternWord(one, script))
  if (terminator === ';&' || terminator === ';;&') refuse(`${terminator} in case`, 'use ;;')
}

/** The engine wants `in` on the line of the word. */
export const caseWord: Rule<'Case'> = ({ word: { end } }, { script }) => {
  const [breaks] = /^\s*\n\s*(?=in\b)/.exec(script.source.slice(end)) ?? []
  if (breaks !== undefined) script.replace({ pos: end, end: end + breaks.length }, ' ')
}
