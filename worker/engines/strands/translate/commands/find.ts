import { isShell } from '../program-paths.ts'
import { refuse } from '../refusal.ts'
import type { CommandRule, Named } from './command.ts'

/** Tests and actions for which the whole expression is computed by a program. */
const TREE =
  /^-(?:delete|depth|empty|executable|false|ipath|iwholename|mmin|mount|mtime|newer|perm|prune|quit|size|true|xdev)$/
const VALUED =
  /^-(?:name|iname|path|ipath|wholename|iwholename|type|maxdepth|mindepth|printf|mmin|mtime|newer|perm|size)$/
const PLAIN = /^-(?:print|print0|not|o|or|a|and)$/
/** What the other program knows of a file. */
const FIELD = /%[^pfhP%]/

/** `find` of the engine has no `-printf`, and says nothing of a place that is not there. */
export const find: CommandRule = ({ words, literals, nameWord }, { script, program, facts }) => {
  refuseUnknown(literals)
  const format = literals.indexOf('-printf')
  const [unknown] = /%[^pfhPsydm%]|\\[^nt0\\]/.exec(literals[format + 1] ?? '') ?? []
  if (format !== -1 && unknown !== undefined)
    refuse(`${unknown} in find -printf`, 'use %p, %f, %h, %P, %s, %m, %d or %y')
  const isFurther = format !== -1 && (format !== words.length - 2 || FIELD.test(literals[format + 1] ?? ''))
  if (isFurther || literals.some((literal) => TREE.test(literal ?? ''))) {
    if (literals.some((literal, at) => literals[at - 1] === '-exec' && facts.functions.has(literal ?? '')))
      refuse('find -exec of a function', 'use a loop')
    script.replace(nameWord, program('find-tree'))
    return
  }
  // A link to a directory is none; the engine follows it.
  for (const [index, word] of words.entries()) {
    const type = literals[index + 1]
    const next = words[index + 1]
    if (literals[index] !== '-type' || next === undefined || type === undefined) continue
    if (type.includes(',')) refuse(`find -type ${type}`, 'use -o')
    if (!/^[df]$/.test(type)) continue
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

/** What neither the engine nor a program of ours knows is refused before anything runs: its message may be thrown away. */
function refuseUnknown(literals: Named['literals']): void {
  for (let at = 0; at < literals.length; at++) {
    const literal = literals[at] ?? ''
    if (/^-(?:execdir|ok|okdir)$/.test(literal)) refuse(`find ${literal}`, 'use -exec')
    if (VALUED.test(literal)) at++
    else if (literal === '-exec') at = endOf(literals, at)
    else if (/^-./.test(literal) && literal !== '--help' && !PLAIN.test(literal) && !TREE.test(literal))
      refuse(`find ${literal}`, 'use -name, -path, -type, -size, -mtime, -newer, -empty or -perm')
  }
}

/** The index of the end of an `-exec`. */
function endOf(literals: Named['literals'], at: number): number {
  const end = literals.findIndex((one, index) => index > at && (one === ';' || one === '+'))
  return end === -1 ? literals.length : end
}

const ACTIONS = /^-(?:exec|execdir|ok|okdir|delete|print|print0|printf|ls|quit)$/

/** Refuses a script for what is found that is not the last thing that `find` does. */
export function alone({ literals }: Named): void {
  const actions = literals.filter((literal) => ACTIONS.test(literal ?? ''))
  const at = literals.indexOf('-exec')
  const end = endOf(literals, at)
  const isPlus = literals.at(-1) === '+'
  if (
    actions.length !== 1 ||
    end !== literals.length - 1 ||
    literals[at - 1] === '!' ||
    (isPlus && literals.at(-2) !== '{}')
  )
    refuse('this find with a script', 'put one -exec at the end')
}
