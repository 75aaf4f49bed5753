import { isShell } from '../program-paths.ts'
import { refuse } from '../refusal.ts'
import type { CommandRule, Named } from './command.ts'

/** `find` of the engine has no `-printf`, and says nothing of a place that is not there. */
export const find: CommandRule = ({ words, literals, nameWord }, { script, program, facts }) => {
  const format = literals.indexOf('-printf')
  if (format !== -1) {
    if (format !== words.length - 2) refuse('find -printf before other words', 'put -printf at the end')
    const text = literals[format + 1]
    const [unknown] = text === undefined ? [] : (/%[^pfhP%]|\\[^nt0\\]/.exec(text) ?? [])
    if (unknown !== undefined) refuse(`${unknown} in find -printf`, 'use %p, %f, %h or %P')
  }
  const prompts = literals.find((literal) => /^-(?:execdir|ok|okdir)$/.test(literal ?? ''))
  if (prompts !== undefined) refuse(`find ${prompts}`, 'use -exec')
  // A link to a directory is none; the engine follows it.
  for (const [index, word] of words.entries()) {
    const type = literals[index + 1]
    const next = words[index + 1]
    if (literals[index] !== '-type' || next === undefined || type === undefined) continue
    if (type.includes(',')) refuse(`find -type ${type}`, 'use -o')
    if (!/^[df]$/.test(type) || literals.includes('-L')) continue
    script.replace(word, '\\( ! -type l -type')
    script.replace(next, `${type} \\)`)
  }
  const [first] = words
  const isPlaced = first !== undefined && !/^[-(!\\]/.test(first.text) && !/^\.{1,2}\/?$/.test(first.text)
  const runsShell = literals.some(
    (literal, at) =>
      literal === '-exec' && (isShell(literals[at + 1]) || facts.functions.has(literals[at + 1] ?? '')),
  )
  const acts = literals.some((literal) => /^-(?:exec|ok|delete)/.test(literal ?? ''))
  if (format !== -1 || runsShell || (isPlaced && !acts)) script.replace(nameWord, program('find'))
}

const ACTIONS = /^-(?:exec|execdir|ok|okdir|delete|print|print0|printf|ls|quit)$/

/** Refuses a script for what is found that is not the last thing that `find` does. */
export function alone({ literals }: Named): void {
  const actions = literals.filter((literal) => ACTIONS.test(literal ?? ''))
  const at = literals.indexOf('-exec')
  const end = literals.findIndex((literal, index) => index > at && (literal === ';' || literal === '+'))
  const isPlus = literals.at(-1) === '+'
  if (
    actions.length !== 1 ||
    end !== literals.length - 1 ||
    literals[at - 1] === '!' ||
    (isPlus && literals.at(-2) !== '{}')
  )
    refuse('this find with a script', 'put one -exec at the end')
}
