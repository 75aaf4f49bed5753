import type { CommandNode } from 'unbash'
import type { Script } from '../script.ts'
import { around } from '../walk.ts'
import type { Rule } from '../work.ts'

/** In a pipeline the engine runs simple commands and functions well: others become functions. */
export const pipeline: Rule<'Pipeline'> = (node, work, place) => {
  const { script, mark } = work
  if (node.commands.length > 1) {
    for (const command of node.commands) {
      if (isSimple(command, script)) continue
      const name = `__ssr_stage_${mark}_${work.next()}`
      work.hoist(`${name}() {\n${script.text(command)}\n}`)
      script.replace(command, `${name} "$@"`)
    }
    for (const [index, operator] of node.operators.entries()) {
      if (operator !== '|&') continue
      const [left, right] = [node.commands[index], node.commands[index + 1]]
      if (left !== undefined && right !== undefined)
        script.replace({ pos: left.end, end: right.pos }, ' 2>&1 | ')
    }
  }
  const negations = node.prefixes.filter(({ type }) => type === 'Negation').length
  const first = node.commands[0]
  if (negations === 0 || first === undefined) return
  const body = script.text({ pos: first.pos, end: node.end })
  const isList = place.outer?.node.type === 'AndOr'
  script.compounded.add(node)
  if (negations % 2 === 0) script.replace(node, body)
  else if (node.commands.length > 1 || !isSimple(first, script))
    script.replace(node, `{ if ${body}; then false; else true; fi; }${isList ? '' : ' && :'}`)
  // What is negated does not end a script with `set -e`; the engine does, unless it is part of a list.
  else if (!isList && around(place, 'Function', 'Script') !== undefined)
    script.replace(node, `! ${body} && :`)
}

/** Whether the engine takes it after a pipe. */
function isSimple(command: CommandNode, script: Script): boolean {
  const isOne =
    command.type === 'Command' || command.type === 'TestCommand' || command.type === 'ArithmeticCommand'
  return isOne && !script.compounded.has(command)
}
