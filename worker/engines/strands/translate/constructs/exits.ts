import { returning } from '../commands/leaving.ts'
import { nameOf, type Scope, scopeOf } from '../facts.ts'
import type { Rule } from '../work.ts'

/** Ends the script with a status, from where the engine's `exit` would end a function only. */
export function ending(scope: Scope, status: string): string {
  if (scope === 'shell') return `exit ${status}`
  // What is contained runs in a function of its own.
  return scope === 'function' ? `{ __ssr_exit=${status}; return "$__ssr_exit"; }` : `return ${status}`
}

/** A command and what ends the script where a function of it shall. */
export function leaving(text: string, scope: Scope): string {
  const leave =
    scope === 'function'
      ? 'return "$__ssr_exit"'
      : `__ssr_code=$__ssr_exit; __ssr_exit=; ${scope === 'shell' ? 'exit' : 'return'} "$__ssr_code"`
  return `{ ${text}; __ssr_code=$?; case "\${__ssr_exit-}" in ?*) ${leave} ;; esac; __ssr_status "$__ssr_code"; }`
}

/** `exit` in a function tells the callers to end; a call of such a function looks whether they shall. */
export const exits: Rule<'Command'> = (node, work, place) => {
  const name = nameOf(node)
  if (name === undefined) return
  const { script, facts } = work
  const scope = scopeOf(place)
  // In a substitution the engine's `exit` loses what was printed before.
  if (name === 'exit' && scope !== 'shell') {
    const [status] = node.args
    script.compounded.add(node)
    if (scope === 'contained' && status?.type === 'Word') script.replace(node, returning(status, script))
    else script.replace(node, ending(scope, status === undefined ? '$?' : script.text(status)))
    return
  }
  if (!facts.ending.has(name)) return
  script.compounded.add(node)
  script.replace(node, leaving(script.text(node), scope))
}
