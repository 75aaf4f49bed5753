import { ending, leaving } from '../constructs/exits.ts'
import { nameOf, scopeOf } from '../facts.ts'
import type { Rule } from '../work.ts'

const REFUSAL =
  'strands-shell: exit or return in a text that eval runs in a function is not available here: write the command out'

const [BEFORE, AFTER] = ['*[!A-Za-z0-9_./-]', '[!A-Za-z0-9_./-]*']
const LEAVES = `${BEFORE}exit${AFTER}|${BEFORE}return${AFTER}`

/** In a function the engine's `eval` goes on after an `exit` or `return` in its text: such a text is refused when it is known. */
export const evaluation: Rule<'Command'> = (node, work, place) => {
  if (nameOf(node) !== 'eval' || node.args.length === 0) return
  const { script, facts } = work
  const scope = scopeOf(place)
  const rest = node.redirects.map((one) => script.text(one))
  const words = node.args.map((one) => script.text(one)).join(' ')
  const run = ['eval "$__ssr_words"', ...rest].join(' ')
  const isChecked = scope !== 'shell'
  if (!isChecked && facts.ending.size === 0) return
  const check =
    `__ssr_join '%s' '' ${words}; case " $__ssr_words " in ${LEAVES}) ` +
    `printf '%s\\n' '${REFUSAL}' >&2; ${ending(scope, '2')} ;; esac; `
  const text = isChecked ? run : script.text(node)
  script.compounded.add(node)
  script.replace(node, `{ ${isChecked ? check : ''}${facts.ending.size > 0 ? leaving(text, scope) : text}; }`)
}
