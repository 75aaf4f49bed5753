import type { ScriptNode, SimpleCommandNode } from '../just-bash.ts'
import { plainText } from './nodes.ts'
import { innerOf, isNode } from './walk.ts'

type Redirection = SimpleCommandNode['redirections'][number]

/** `3>&1`, `exec 3>&1` */
const copiesOutput = ({ operator, fd, target }: Redirection): boolean =>
  operator === '>&' && (fd ?? 1) > 2 && target.type === 'Word' && plainText(target) === '1'

/** The descriptor of `>&3`; undefined where it is none of a script's own. */
function writtenTo({ operator, target }: Redirection): number | undefined {
  const text = operator === '>&' && target.type === 'Word' ? plainText(target) : undefined
  return text !== undefined && /^\d+$/.test(text) && Number(text) > 2 ? Number(text) : undefined
}

const isRedirection = (value: object): value is Redirection =>
  'type' in value && value.type === 'Redirection' && 'operator' in value

/**
 * `exec 3>&1; x=$(echo shown >&3; echo captured)`: just-bash captures both.
 *
 * @throws Error where a script does so
 */
export function refuseCapturedCopies(script: ScriptNode): void {
  const copies = new Set<number>()
  collect(script, (redirection) => copiesOutput(redirection) && copies.add(redirection.fd ?? 1))
  if (copies.size > 0) refuseIn(script, copies)
}

function refuseIn(value: object, copies: ReadonlySet<number>): void {
  if (!isNode(value) || value.type !== 'CommandSubstitution') {
    for (const inner of innerOf(value)) refuseIn(inner, copies)
    return
  }
  const outer = new Set(copies)
  collect(value, (redirection) => copiesOutput(redirection) && outer.delete(redirection.fd ?? 1))
  collect(value, (redirection) => {
    const to = writtenTo(redirection)
    if (to !== undefined && outer.has(to))
      throw new Error(`>&${to} in $( ) is not known here where ${to}>&1 stands outside: write >&2`)
  })
}

function collect(value: object, visit: (redirection: Redirection) => void): void {
  if (isRedirection(value)) visit(value)
  for (const inner of innerOf(value)) collect(inner, visit)
}
