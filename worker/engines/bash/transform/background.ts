import type { NodeOf, SimpleCommandNode, StatementNode } from '../just-bash.ts'
import { type Fork, type Forking, forkCommand, programOf } from './fork.ts'
import { innerPath } from './inner-command.ts'
import { literal, plainText, single } from './nodes.ts'
import type { Traits } from './traits.ts'

/** `__wait ids…`: `wait`, which just-bash answers by itself. */
export const WAIT = '__wait'
/** `__jobs`: runs what waits to be run. */
export const RUN_JOBS = '__jobs'

/** A list that uses a descriptor other than the three: a shell of its own would not have it. */
const usesDescriptor = (node: object) =>
  /"fd":[3-9]|"operator":"[<>]&"[^}]*"value":"[3-9]/.test(JSON.stringify(node))

/** `list &` */
export function background(
  node: StatementNode,
  inSubshell: boolean,
  forking: Forking,
  traits: Traits,
): StatementNode {
  if (!node.background) return node
  traits.stateful = true
  const plain = { ...node, background: false }
  if (usesDescriptor(node))
    throw new Error('a command with & that uses a file descriptor above 2 is not known here')
  const body = soleSubshell(plain)?.body ?? [plain]
  const fork: Fork = {
    program: programOf(body, traits),
    text: (node.sourceText ?? '').trim().replace(/\s*&$/, ''),
    background: true,
    slow: slowness(node),
    atOnce: inSubshell,
  }
  return single(forkCommand(fork, forking, []))
}

function slowness(node: StatementNode): Fork['slow'] {
  const text = JSON.stringify(node)
  const commands = [...text.matchAll(/"type":"SimpleCommand"/g)].length
  if (/^\s*\(?\s*sleep [\w.$"]+\s*\)?\s*&?$/.test(node.sourceText ?? '') && commands === 1) return 'sleep'
  return /"value":"(?:sleep|yes|tail|watch)"|"type":"(?:While|Until)"/.test(text)
}

function soleSubshell({ pipelines }: StatementNode): NodeOf<'Subshell'> | undefined {
  const [pipeline] = pipelines
  const [command] = pipeline?.commands ?? []
  const sole = pipelines.length === 1 && pipeline?.commands.length === 1 && !pipeline.negated
  return sole && command?.type === 'Subshell' && command.redirections.length === 0 ? command : undefined
}

/**
 * `wait`: just-bash has one that knows no jobs. What waits to be run runs in it, and writes where the shell does: so the
 * command loses its redirections.
 */
export const waiting = (node: SimpleCommandNode): SimpleCommandNode =>
  plainText(node.name) === 'wait' ? { ...node, name: literal(innerPath(WAIT)), redirections: [] } : node
