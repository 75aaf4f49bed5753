import type { Redirect } from 'unbash'
import type { Rule } from '../work.ts'

/** `&> file`, `&>> file` and `>& file` are written `> file 2>&1`, and `> /dev/stderr` is `>&2`. */
export const redirection: Rule<'Redirect'> = (node, { script }) => {
  const device = DEVICES.get(node.target?.text ?? '')
  if (device !== undefined && /^>[>|]?$/.test(node.operator)) {
    script.replace(node, `${node.descriptor === undefined ? '' : script.text(node.descriptor)}>&${device}`)
    return
  }
  const appended = node.operator === '&>>'
  if (!isBoth(node) || node.target === undefined) return
  script.replace(node, `${appended ? '>>' : '>'} ${script.text(node.target)} 2>&1`)
}

/** Files that the engine does not have. */
const DEVICES: ReadonlyMap<string, string> = new Map([
  ['/dev/stdout', '1'],
  ['/dev/stderr', '2'],
  ['/dev/fd/1', '1'],
  ['/dev/fd/2', '2'],
])

function isBoth({ operator, descriptor, target }: Redirect): boolean {
  if (operator === '&>' || operator === '&>>') return true
  return operator === '>&' && descriptor === undefined && !/^(?:\d+|-|\d+-)$/.test(target?.text ?? '')
}
