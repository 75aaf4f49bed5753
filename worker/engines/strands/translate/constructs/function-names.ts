import { refuse } from '../refusal.ts'
import type { Rule } from '../work.ts'

/** Names that mean the engine's own commands also where a function has them. */
const OWN: ReadonlySet<string> = new Set(
  '. : alias bash break cd command continue echo env eval exec exit export false find getopts hash local lua printf pwd read readonly return set sh shift source trap true type umask unalias unset wait xargs'.split(
    ' ',
  ),
)

/** The engine runs no function of such a name. */
export const functionName: Rule<'Function'> = ({ name }) => {
  if (OWN.has(name.text)) refuse(`a function named ${name.text}`, 'give it another name')
}

/** Programs that translations call. */
const CALLED = ['cat', 'grep', 'sed', 'sleep', 'tail']

/** Refuses a translation that would call a function of the script in the place of a program. */
export function refuseCalls(text: string, source: string, functions: ReadonlySet<string>): void {
  for (const name of CALLED) {
    if (functions.has(name) && count(text, name) > count(source, name))
      refuse(`this command beside a function named ${name}`, 'give the function another name')
  }
}

function count(text: string, name: string): number {
  return text.match(new RegExp(`(?<![\\w./-])${name}(?![\\w./-])`, 'g'))?.length ?? 0
}
