import { refuse } from '../refusal.ts'
import { around } from '../walk.ts'
import type { Rule } from '../work.ts'
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
  if (word === undefined) return
  const literal = command.literals[0]
  const text = script.text(word)
  const [, name] = /^"?\$\{?([A-Za-z_]\w*|\d)\}?"?$/.exec(word.text) ?? []
  const [, expression] = /^\$\(\(([\s\S]*)\)\)$/.exec(text) ?? []
  if (literal !== undefined && /^-?\d{1,15}$/.test(literal))
    script.replace(word, String(Number(BigInt(literal) & 255n)))
  else if (expression !== undefined) script.replace(word, `$(( (${expression}) & 255 ))`)
  else if (name !== undefined)
    script.replace(
      node,
      `case ${text} in -?*|????*|[3-9]??|2[6-9]?|25[6-9]) return $((\${${name}} & 255)) ;; *) return ${text} ;; esac`,
    )
}

/** `exec` with redirections only does nothing in the engine. */
export const redirectedShell: Rule<'Command'> = (node) => {
  if (named(node)?.name === 'exec' && node.args.length === 0 && node.redirects.length > 0)
    refuse('exec with redirections only', 'redirect a group: { …; } > FILE')
}
