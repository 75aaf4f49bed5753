import type { Redirect } from 'unbash'
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
