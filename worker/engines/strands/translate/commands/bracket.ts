import { refuse } from '../refusal.ts'
import { isGivenByBash } from '../shell-variables.ts'
import type { Work } from '../work.ts'
import type { CommandRule, Named } from './command.ts'

/** The engine takes `[ a` for a test. */
export const bracket: CommandRule = (command, work) => {
  const { words, literals } = command
  if (words.length === 0 || (literals.at(-1) !== ']' && literals.at(-1) !== undefined))
    refuse('[ without ]', 'end it with ]')
  variables(command, words.length - 1, work)
}

export const test: CommandRule = (command, work) => variables(command, command.words.length, work)

/** Behind what a unary operator stands. */
const BEFORE: ReadonlySet<string | undefined> = new Set(['!', '(', '-a', '-o'])

/** The engine has no `-v`. */
function variables({ words, literals, name }: Named, end: number, { script }: Work): void {
  for (let at = 0; at + 1 < end; at++) {
    if (literals[at] !== '-v' || (at > 0 && !BEFORE.has(literals[at - 1]))) continue
    const [option, operand] = [words[at], words[at + 1]]
    const variable = literals[at + 1] ?? ''
    if (option === undefined || operand === undefined || /^(?:[!=]?=|[<>]|-\w+)$/.test(variable)) continue
    if (!/^(?:[A-Za-z_]\w*|\d)$/.test(variable))
      refuse(`${name} -v of what is no plain name`, `use ${name} -n "\${NAME+x}"`)
    script.replace(
      { pos: option.pos, end: operand.end },
      isGivenByBash(variable) ? '-n x' : `-n "\${${variable}+x}"`,
    )
  }
}
