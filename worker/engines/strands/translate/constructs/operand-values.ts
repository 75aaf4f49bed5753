import type { SyntaxNode } from 'unbash'
import { scopeOf } from '../facts.ts'
import type { Place } from '../walk.ts'
import type { Rule, Work } from '../work.ts'
import type { Values } from './arithmetic-operands.ts'
import { before, kept, ownerOf } from './before.ts'
import { ending } from './exits.ts'
import { firstOf, isOfStatement, isSubstituted } from './unset.ts'

/** What stands between values that are looked at together. */
const BETWEEN = '\x01'
const DIGITS = '[0-9]'.repeat(19)
/** Values that may be no plain numbers, with what stands behind each. */
const UNSURE = `*[!0-9${BETWEEN}-]*|*[!${BETWEEN}]-*|*-${BETWEEN}*|0[0-9]*|*${BETWEEN}0[0-9]*|*-0[0-9]*|*${DIGITS}*`

const LETTERS = { value: 'v', text: 't', start: 't', digits: 'd' }

/** A value that is to be looked at: what it has to be, and a word of the shell. */
export function lookAt(kind: Parameters<Values['look']>[0], word: string): string {
  return LETTERS[kind] + word
}

/** Looks at values in the shell; a program looks at those that are no plain numbers, and says what is wrong. */
export function looks(operands: readonly string[], work: Work, place: Place): string {
  const words = operands.map((one) => `"${one}"`).join(' ')
  // The input of the commands around it is theirs.
  const program = `{ ${work.program('__number')} ${words}; } < /dev/null || ${ending(scopeOf(place), '2')}`
  if (operands.some((one) => one.startsWith('d'))) return program
  const joined = operands.map((one) => one.slice(1) + BETWEEN).join('')
  return `case "${joined}" in ${UNSURE}) ${program} ;; esac`
}

/** The values of an expression, which the command that it stands in has looked at. */
export function valuesAt(place: Place, work: Work): Values {
  return {
    isPlain: (name, at) => work.facts.numbers.isPlain(name, at),
    look: (kind, word) => {
      const owner = ownerOf(place)
      const operands = work.operands.get(owner) ?? new Set()
      work.operands.set(owner, operands.add(lookAt(kind, word)))
    },
    expand: (text) => {
      const name = `__ssr_value_${work.mark}_${work.next()}`
      before(place, work, `${name}=${text}`)
      return name
    },
  }
}

/** Looks at the values of a statement that is one command. */
export const valuesOfStatement: Rule<'Statement'> = (node, work, place) => {
  if (node.background === true) return
  const owner = firstOf(node.command)
  const operands = work.operands.get(owner)
  if (operands === undefined || work.pending.has(owner)) return
  if (isSubstituted(node, place)) work.script.compounded.add(node.command)
  const check = looks([...operands], work, place)
  work.script.insert(node.pos, `${kept(check, work.script.written(node), owner, work)}; `)
}

/** The same of a command that is no statement, or has something else to run before. */
export function valuesOfCommand(node: SyntaxNode, work: Work, place: Place): void {
  const operands = work.operands.get(node)
  const pending = work.pending.get(node)
  if (operands === undefined || (isOfStatement(place) && pending === undefined)) return
  work.pending.set(node, [...(pending ?? []), looks([...operands], work, place)])
}
