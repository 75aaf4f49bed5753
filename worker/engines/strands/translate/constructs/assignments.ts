import type { CommandExpansionPart, SyntaxNode } from 'unbash'
import { callsFunction, nameOf } from '../facts.ts'
import { refuse } from '../refusal.ts'
import { around, some, walk } from '../walk.ts'
import type { Rule } from '../work.ts'
import { before } from './before.ts'
import { ownPath } from './isolated.ts'

/** `x+=y` is `x=${x}y`. */
export const appended: Rule<'Assignment'> = ({ pos, append, name, value }, { script }, place) => {
  const outer = place.outer?.node
  const isArgument = outer?.type === 'Command' && outer.name !== undefined && pos > outer.name.pos
  if (
    isArgument &&
    value.type === 'Word' &&
    value.parts?.some(({ type }) => type === 'BraceExpansion') === true
  )
    refuse(`a brace expansion in ${name}=`, 'quote it, or write the words out')
  if (append === true) script.replace({ pos, end: value.pos }, `${name}=\${${name}-}`)
}

/** The status of `x=$(command)` is that of the command; in the engine it is 0. */
export const assignmentStatus: Rule<'Command'> = (node, work) => {
  if (node.name !== undefined || node.redirects.length > 0) return
  const last = node.prefix.at(-1)
  const substitutions: CommandExpansionPart[] = []
  for (const one of node.prefix) {
    if (one.type === 'Assignment') walkOwn(one, (part) => substitutions.push(part))
  }
  const part = substitutions.at(-1)
  if (part === undefined || last === undefined || substitutions.length > 1) return
  const { script } = work
  const name = `__ssr_caught_${work.mark}_${work.next()}`
  const body = script.text(part)
  const inner = /^\$\(([\s\S]*)\)$/.exec(body)?.[1]
  if (inner === undefined || inner.trimStart().startsWith('<')) return
  // With `set -e` the engine ends at a group that fails, and not at a function.
  work.hoist(`${name}_of() {\n${inner}\n}`)
  work.hoist(`${name}() {\nset +e\n${name}_of "$@" && printf '.0' || printf '.%s' "$?"\n}`)
  script.replace(part, `$(printf '%s' "\${__ssr_raw%.*}")`)
  script.compounded.add(node)
  script.replace(
    node,
    `{ __ssr_raw=$(${name} "$@"); ${script.text(node)}; __ssr_status "\${__ssr_raw##*.}"; }`,
  )
}

/** The substitutions of an assignment, not those inside them. */
function walkOwn(node: SyntaxNode, heard: (part: CommandExpansionPart) => void): void {
  walk(node, (place) => {
    if (place.node.type === 'CommandExpansion' && around(place, 'CommandExpansion') === undefined)
      heard(place.node)
  })
}

/**
 * In a substitution `$?` is always 0 and compound commands may not parse: what is no plain pipeline becomes a function. There
 * `set -e` does not act in bash.
 */
export const substitution: Rule<'CommandExpansion'> = (node, work, place) => {
  if (node.script === undefined || node.script.commands.length === 0 || node.text.startsWith('`')) return
  const [first, ...others] = node.script.commands
  const command = first?.command
  const { script } = work
  const isPlain =
    others.length === 0 &&
    command !== undefined &&
    (command.type === 'Command'
      ? !script.compounded.has(command) && !callsFunction(command, work.facts)
      : command.type === 'Pipeline' && !script.compounded.has(command)) &&
    !/\$\?|\bexit\b/.test(node.text)
  const reads = work.inputs.reads(node.script) && work.inputs.isThereThrough(place, work.input)
  const path = reads ? ownPath(work) : undefined
  if (path !== undefined) {
    if (!isDrained(node.script)) refuse('$( ) that reads a part of the input around it', 'use read NAME')
    before(place, work, `cat > ${path}`)
  }
  if (isPlain && path === undefined) return
  const inner = /^\$\(([\s\S]*)\)$/.exec(script.text(node))?.[1]
  if (inner === undefined) return
  const name = `__ssr_inner_${work.mark}_${work.next()}`
  work.hoist(`${name}() {\nset +e\n${inner}\n}`)
  if (path !== undefined) work.hoist(`${name}_of() {\n{ ${name} "$@"; } < ${path}\n}`)
  script.replace(node, `$(${name}${path === undefined ? '' : '_of'} "$@")`)
}

/** Whether nothing of the input is left after commands: all that read do so to its end. */
function isDrained(script: SyntaxNode): boolean {
  return !some(script, ({ node }) => node.type === 'Command' && /^(?:read|head)$/.test(nameOf(node) ?? ''))
}
