import type { Redirect, Redirection } from 'unbash'
import { refuse } from '../refusal.ts'
import type { Script } from '../script.ts'
import { isSubstitution, type Place } from '../walk.ts'
import type { Rule } from '../work.ts'
import { fileRead } from './fed-programs.ts'

/** `&> file`, `&>> file` and `>& file` are written `> file 2>&1`, and `> /dev/stderr` is `>&2`. */
export const redirection: Rule<'Redirect'> = (node, { script }) => {
  const device = DEVICES.get(node.target?.text ?? '')
  if (device !== undefined && /^>[>|]?$/.test(node.operator)) {
    script.replace(node, `${node.descriptor === undefined ? '' : script.text(node.descriptor)}>&${device}`)
    return
  }
  settled(node, script)
  const appended = node.operator === '&>>'
  if (!isBoth(node) || node.target === undefined) return
  script.replace(node, `${appended ? '>>' : '>'} ${script.text(node.target)} 2>&1`)
}

/** What may become several words in the name of a file. */
function settled({ target }: Redirect, script: Script): void {
  for (const part of target?.parts ?? []) {
    const name = /^\$\{?([A-Za-z_]\w*)\}?$/.exec(part.text)?.[1]
    if (name === undefined || (part.type !== 'SimpleExpansion' && part.type !== 'ParameterExpansion'))
      continue
    script.replace(part, `$(__ssr_target "${script.text(part)}")`)
  }
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

/** Redirections without a command, which the engine ignores: `> file` makes or empties the file, and `$(< file)` reads it. */
export const aloneRedirection: Rule<'Command'> = (node, { script }, place) => {
  const { name, prefix, redirects, pos } = node
  if (name !== undefined || redirects.length === 0) return
  if (prefix.some(({ type }) => type === 'Assignment')) {
    if (redirects.some(isToFile)) refuse('a redirection of an assignment to a file', 'redirect a command')
    return
  }
  const [first, ...others] = redirects
  const isRead = others.length === 0 && first?.type === 'Redirect' && first.operator === '<'
  if (!isRead || !isSubstituted(place)) {
    script.insert(pos, ': ')
    return
  }
  const file = fileRead(node)
  script.insert(pos, `${file === undefined ? '' : `__ssr_text ${script.text(file)} && `}cat `)
}

function isToFile(one: Redirection): boolean {
  if (one.type !== 'Redirect' || !one.operator.includes('>')) return false
  const target = one.target?.text ?? ''
  return !target.startsWith('/dev/') && !/^[\d-]+$/.test(target)
}

/** Whether a command is all of a substitution. */
function isSubstituted({ outer }: Place): boolean {
  const text = outer?.outer
  return (
    text?.node.type === 'Script' &&
    text.node.commands.length === 1 &&
    text.outer !== undefined &&
    isSubstitution(text.outer.node)
  )
}
