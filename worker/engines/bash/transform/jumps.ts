import type { ScriptNode, SimpleCommandNode, SyntaxNode } from '../just-bash.ts'
import { literal, plainText, singleQuoted } from './nodes.ts'
import { innerOf, isLongPipeline, isNode } from './walk.ts'

const LOOPS = new Set(['For', 'CStyleFor', 'While', 'Until'])

/** What `break` and `continue` in it do not leave. */
const BOUNDS = new Set(['Subshell', 'FunctionDef'])

const SUBSTITUTIONS = new Set(['CommandSubstitution', 'ProcessSubstitution'])

/** The loops around a command. */
interface Around {
  /** Those that it can leave. */
  readonly loops: number
  /** Those around its `$( )`, which it ends with them. */
  readonly outer: number
  /** Whether there is no other loop: a text of `eval` may be in one. */
  readonly known: boolean
}

/**
 * `( break )`, `$(break)`, `x | while …; do break 2; done` and functions in a loop: just-bash leaves the loop around them, which is
 * one of another shell.
 */
export function boundJumps(script: ScriptNode): void {
  bound(script, { loops: 0, outer: 0, known: false })
}

function bound(value: object, around: Around): void {
  if (isNode(value) && value.type === 'SimpleCommand' && isJump(value)) {
    settle(value, around)
    return
  }
  const inside = isNode(value) ? within(value, around) : around
  for (const inner of innerOf(value)) bound(inner, inside)
}

function within(node: SyntaxNode, around: Around): Around {
  const { loops, outer } = around
  if (BOUNDS.has(node.type) || isLongPipeline(node)) return { loops: 0, outer: 0, known: true }
  if (SUBSTITUTIONS.has(node.type)) return { ...around, loops: 0, outer: outer + loops }
  return LOOPS.has(node.type) ? { ...around, loops: loops + 1 } : around
}

function isJump({ name, args }: SimpleCommandNode): boolean {
  const text = plainText(name)
  return (text === 'break' || text === 'continue') && args.length <= 1
}

function settle(node: SimpleCommandNode, { loops, outer, known }: Around): void {
  const [word] = node.args
  const levels = word === undefined ? 1 : Number(plainText(word) ?? 'NaN')
  if (!(levels > loops)) return
  if (outer > 0) {
    node.name = literal('exit')
    node.args = [literal('0')]
  } else if (loops > 0 && known) node.args = [literal(String(loops))]
  else if (known) {
    const told = `bash: ${plainText(node.name)}: only meaningful in a \`for', \`while', or \`until' loop`
    node.name = literal('echo')
    node.args = [singleQuoted(told)]
    node.redirections = [...node.redirections, toStderr()]
  }
}

/** `>&2` */
const toStderr = (): SimpleCommandNode['redirections'][number] => ({
  type: 'Redirection',
  fd: null,
  operator: '>&',
  target: literal('2'),
})
