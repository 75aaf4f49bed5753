import type { SimpleCommandNode, StatementNode } from '../just-bash.ts'
import { endLine } from './discard.ts'
import { literal, pipeline, simple, single, statement } from './nodes.ts'

/** An index that divides: an error there ends a script. */
const DIVIDES = /\[[^\]]*[/%]/
/** An index that may be less than the first one. */
const NEGATIVE = /\[[^\]]*-/
/** An index that may be anything: also a key that is empty. */
const COMPUTED = /\[(?!\d+\])/

/**
 * `a[n/0]=3` ends the script in `bash -c`, and `a[-9]=3` and `map[]=3` their line. just-bash gives the assignment status 1, and goes on.
 * Only a substitution in the value gives it a status otherwise: then the index alone is tried before, where it has a minus.
 */
export function withIndex(
  node: SimpleCommandNode,
  inSubshell: boolean,
  substitutes: boolean,
): StatementNode[] {
  const names = node.assignments.map(({ name }) => name).filter((name) => name.includes('['))
  const divides = names.some((name) => DIVIDES.test(name))
  const wrong = substitutes ? NEGATIVE : COMPUTED
  if (!divides && !names.some((name) => wrong.test(name))) return [single(node)]
  const end = pipeline(divides ? simple('exit', literal('1')) : endLine(inSubshell))
  if (!substitutes) return [statement([pipeline(node), end], ['||'])]
  const assignments = node.assignments
    .filter(({ name }) => name.includes('[') && !/\$\(|`|\+\+|--|=/.test(name))
    .map((one) => ({ ...one, append: true, value: literal('') }))
  return [statement([pipeline({ ...node, assignments }), end], ['||']), single(node)]
}
