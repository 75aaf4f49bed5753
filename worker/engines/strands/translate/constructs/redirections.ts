import type { Redirect } from 'unbash'
import type { Script } from '../script.ts'
import type { Rule } from '../work.ts'

/** `&> file`, `&>> file` and `>& file` are written `> file 2>&1`. */
export const redirection: Rule<'Redirect'> = (node, { script }) => {
  const appended = node.operator === '&>>'
  if (!isBoth(node) || node.target === undefined) return
  script.replace(node, `${appended ? '>>' : '>'} ${script.text(node.target)} 2>&1`)
}

function isBoth({ operator, descriptor, target }: Redirect): boolean {
  if (operator === '&>' || operator === '&>>') return true
  return operator === '>&' && descriptor === undefined && !/^(?:\d+|-|\d+-)$/.test(target?.text ?? '')
}

/** The redirections of a command as they are written now. */
export function redirectsOf(
  redirects: readonly { readonly pos: number; readonly end: number }[],
  script: Script,
): string {
  return redirects.map((one) => script.text(one)).join(' ')
}
