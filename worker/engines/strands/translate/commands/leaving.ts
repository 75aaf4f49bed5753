import type { SyntaxNode, Word } from 'unbash'
import { nameOf } from '../facts.ts'
import { refuse } from '../refusal.ts'
import type { Script } from '../script.ts'
import { around, some } from '../walk.ts'
import { literalOf, NAME } from '../words.ts'
import type { Rule, Work } from '../work.ts'
import { named } from './command.ts'

const STRAY = 'strands-shell: return: can only return from a function or sourced script'

/** `return` of the engine passes on 300 as it is, and ends a command outside functions. */
export const returned: Rule<'Command'> = (node, work, place) => {
  const command = named(node)
  if (command?.name !== 'return') return
  const { script, options } = work
  if (options.isSourced !== true && around(place, 'Function') === undefined) {
    const name = `__ssr_stray_${work.mark}_${work.next()}`
    work.hoist(`${name}() { printf '%s\\n' '${STRAY}' >&2; return 2; }`)
    script.replace(node, name)
    return
  }
  const [word] = command.words
  if (word !== undefined) script.replace(node, returning(word, script))
}

const OUTSIDE = 'strands-shell: local: can only be used in a function'

/** `local` of the engine sets a variable outside functions, too, and leaves one without a value what it was around the function. */
export const localized: Rule<'Command'> = (node, work, place) => {
  const { script, options } = work
  if (named(node)?.name !== 'local') return
  const owner = around(place, 'Function')
  if (owner !== undefined) {
    const names = node.args.filter((arg) => arg.type === 'Word' && isNew(arg, owner)).map(({ text }) => text)
    if (names.length === 0) return
    const isRepeated = around(place, 'For', 'While', 'ArithmeticFor') !== undefined
    script.compounded.add(node)
    script.replace(node, `{ ${script.text(node)}; ${isRepeated ? once(names, owner, work) : unset(names)}; }`)
    return
  }
  if (options.isSourced === true) return
  const name = `__ssr_outside_${work.mark}_${work.next()}`
  work.hoist(`${name}() { printf '%s\\n' '${OUTSIDE}' >&2; return 1; }`)
  script.replace(node, name)
}

function unset(names: readonly string[]): string {
  return `unset ${names.join(' ')}`
}

/** The first turn of a loop makes a variable, and the others leave it as it is. */
function once(
  names: readonly string[],
  owner: Extract<SyntaxNode, { type: 'Function' }>,
  work: Work,
): string {
  const made = `__ssr_made_${work.next()}`
  const { body } = owner
  const inner = body.type === 'Redirected' ? body.command : body
  if (inner.type !== 'BraceGroup' && inner.type !== 'Subshell')
    refuse('local without a value in the loop that is a whole function', 'put { } around the loop')
  work.script.insert(inner.pos + 1, ` local ${made}=;`)
  return `case "$${made}" in '') ${made}=1; ${unset(names)} ;; esac`
}

/** Whether a `local` is the first of a name in its function: another one leaves the value as it is. */
function isNew({ text, pos }: Word, owner: SyntaxNode): boolean {
  if (!NAME.test(text)) return false
  return !some(
    owner,
    ({ node }) =>
      node.type === 'Command' &&
      nameOf(node) === 'local' &&
      node.args.some((arg) => arg.pos < pos && (arg.type === 'Assignment' ? arg.name : arg.text) === text),
  )
}

/** A `return` of a status of 8 bits. */
export function returning(word: Word, script: Script): string {
  const text = script.text(word)
  const literal = literalOf(word)
  const [, name] = /^"?\$\{?([A-Za-z_]\w*|\d)\}?"?$/.exec(word.text) ?? []
  const [, expression] = /^\$\(\(([\s\S]*)\)\)$/.exec(text) ?? []
  if (literal !== undefined && /^-?\d{1,15}$/.test(literal)) return `return ${Number(BigInt(literal) & 255n)}`
  if (expression !== undefined) return `return $(( (${expression}) & 255 ))`
  return name === undefined
    ? `return ${text}`
    : `case ${text} in -?*|????*|[3-9]??|2[6-9]?|25[6-9]) return $((\${${name}} & 255)) ;; *) return ${text} ;; esac`
}

/** `exec` with redirections only does nothing in the engine. */
export const redirectedShell: Rule<'Command'> = (node) => {
  if (named(node)?.name === 'exec' && node.args.length === 0 && node.redirects.length > 0)
    refuse('exec with redirections only', 'redirect a group: { …; } > FILE')
}

/** The engine forgets what shall run at the end of a shell that is not the session's, and has `EXIT` and signals alone. */
export const trapped: Rule<'Command'> = (node, { options }, place) => {
  const command = named(node)
  if (command?.name !== 'trap') return
  if (/^(?:-p|-l)?$/.test(command.words[0]?.text ?? '')) refuse('trap that lists', 'use trap COMMAND EXIT')
  const lacking = command.literals.slice(1).find((one) => /^(?:ERR|DEBUG|RETURN)$/.test(one ?? ''))
  if (lacking !== undefined && command.literals[0] !== '-')
    refuse(`trap of ${lacking}`, 'use || behind the commands that may fail')
  if (!command.literals.some((one) => one === 'EXIT' || one === '0')) return
  if (/\bexit\s+\d/.test(command.literals[0] ?? ''))
    refuse('exit with a status in a trap of EXIT', 'write exit behind the other commands')
  if (command.literals[0] !== '-' && options.zero !== undefined)
    refuse('trap of EXIT in a script', 'write what it runs behind the other commands')
  if (command.literals[0] !== '-' && around(place, 'Subshell', 'CommandExpansion') !== undefined)
    refuse('trap of EXIT in ( ) and $( )', 'write what it runs behind the other commands')
}
