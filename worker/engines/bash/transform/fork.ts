import type { NodeOf, PipelineNode, SimpleCommandNode, StatementNode, WordNode } from '../just-bash.ts'
import { lineEnds } from './discard.ts'
import { innerPath } from './inner-command.ts'
import { literal, plainText, quotedParameter, simple, single, statement } from './nodes.ts'
import type { Program, Traits } from './traits.ts'
import { isNode } from './walk.ts'

/** `__fork pid status functions arrays…`: takes the shell's state for a shell of its own, which runs a part of the script. */
export const FORK = '__fork'
/** `__wait ids…`: `wait`, which just-bash answers by itself. */
export const WAIT = '__wait'
/** `__jobs`: runs what waits to be run. */
export const RUN_JOBS = '__jobs'

/** A part of a script that runs in a shell of its own. */
interface Fork {
  readonly program: Program
  /** As `jobs` shows it. */
  readonly text: string
  /** A command with `&`. */
  readonly background: boolean
  /** It may wait or go on for long; `'sleep'`: it does nothing but sleep. */
  readonly slow: boolean | 'sleep'
  /** It runs where it stands, since its output belongs there. */
  atOnce: boolean
}

/** What the command that runs next forks. */
export interface Forking {
  current: Fork | undefined
  /** The words that carry the state: of the session that runs. */
  words: () => WordNode[]
}

const forks = new WeakMap<object, Fork>()

/** The command that forks. Its words are made when it runs. */
function forkCommand(
  fork: Fork,
  forking: Forking,
  redirections: SimpleCommandNode['redirections'],
): SimpleCommandNode {
  const command = { ...simple(innerPath(FORK)), redirections }
  forksWith(command, fork, forking)
  return command
}

/** Has a command fork. As JSON it has what runs then. */
function forksWith(command: SimpleCommandNode, fork: Fork, forking: Forking): void {
  forks.set(command, fork)
  Object.defineProperty(command, 'args', {
    enumerable: true,
    get: () => {
      forking.current = fork
      return [quotedParameter('BASHPID'), ...forking.words()]
    },
  })
  const toJSON = () => {
    const { program, ...rest } = fork
    const written = { ...rest, statements: program.statements, arrays: [...program.arrays] }
    return { ...simple(innerPath(FORK)), redirections: command.redirections, computed: true, fork: written }
  }
  Object.defineProperty(command, 'toJSON', { value: toJSON })
}

/** Makes of a command that was JSON one that forks again. */
export function restoreFork(command: SimpleCommandNode, forking: Forking): void {
  const written: unknown = Reflect.get(command, 'fork')
  if (!isWritten(written)) return
  Reflect.deleteProperty(command, 'fork')
  const { statements, arrays, ...rest } = written
  const traits = {
    arrays: new Set(arrays),
    commands: new Set<string>(),
    definitions: [],
    redirects: false,
    captures: false,
  }
  forksWith(command, { ...rest, program: programOf(statements, traits) }, forking)
}

type WrittenFork = Omit<Fork, 'program'> & {
  readonly statements: StatementNode[]
  readonly arrays: string[]
}

function isWritten(value: unknown): value is WrittenFork {
  if (typeof value !== 'object' || value === null) return false
  return (
    'statements' in value &&
    Array.isArray(value.statements) &&
    'arrays' in value &&
    Array.isArray(value.arrays)
  )
}

function programOf(
  statements: readonly StatementNode[],
  { arrays, commands, definitions, redirects, captures }: Omit<Traits, 'stateful' | 'assigns' | 'slow'>,
): Program {
  return {
    statements,
    lineEnds: lineEnds([...statements]),
    arrays,
    commands,
    definitions,
    redirects,
    captures,
    stateful: true,
    assigns: true,
    slow: true,
  }
}

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

/** Output that goes elsewhere goes there while the command runs: what it starts runs at once. */
export function redirected(node: object): void {
  const redirections: unknown = Reflect.get(node, 'redirections')
  if (!Array.isArray(redirections) || redirections.length === 0) return
  forksIn(node, (fork) => {
    fork.atOnce = true
  })
}

function forksIn(value: object, found: (fork: Fork) => void): void {
  const fork = forks.get(value)
  if (fork !== undefined) {
    found(fork)
    return
  }
  for (const inner of Object.values(value))
    if (typeof inner === 'object' && inner !== null) forksIn(inner, found)
}

/** `( trap … EXIT; … )`: a shell of its own has traps of its own. */
export function trapping(
  node: NodeOf<'Subshell'>,
  forking: Forking,
  traits: Traits,
): NodeOf<'Subshell'> | SimpleCommandNode {
  if (!node.body.some(setsTrap)) return node
  traits.stateful = true
  const fork: Fork = {
    program: programOf(node.body, traits),
    text: '',
    background: false,
    slow: true,
    atOnce: true,
  }
  return forkCommand(fork, forking, node.redirections)
}

/** The same of `{ trap … EXIT; … }` in a pipeline. */
export function trappingStages(node: PipelineNode, forking: Forking, traits: Traits): void {
  if (node.commands.length < 2) return
  for (const [at, stage] of node.commands.entries())
    if (stage.type === 'Group') {
      const { body, redirections } = stage
      if ([...body].some(setsTrap))
        node.commands[at] = trapping({ type: 'Subshell', body: [...body], redirections }, forking, traits)
    }
}

/** The same in `$( )`. */
export function trappingScript(
  statements: readonly StatementNode[],
  forking: Forking,
  traits: Traits,
): StatementNode[] {
  if (!statements.some(setsTrap)) return [...statements]
  traits.stateful = true
  const fork: Fork = {
    program: programOf(statements, traits),
    text: '',
    background: false,
    slow: true,
    atOnce: true,
  }
  return [statement([pipelineOf(forkCommand(fork, forking, []))])]
}

const pipelineOf = (command: SimpleCommandNode): PipelineNode => ({
  type: 'Pipeline',
  commands: [command],
  negated: false,
})

const OWN_SHELLS = new Set(['Subshell', 'CommandSubstitution', 'ProcessSubstitution', 'FunctionDef'])

function setsTrap(value: object): boolean {
  if (forks.has(value)) return false
  if (isNode(value)) {
    if (OWN_SHELLS.has(value.type)) return false
    if (value.type === 'SimpleCommand' && plainText(value.name) === 'trap') return true
  }
  return Object.values(value).some((inner) => typeof inner === 'object' && inner !== null && setsTrap(inner))
}

/**
 * `wait`: just-bash has one that knows no jobs. What waits to be run runs in it, and writes where the shell does: so the
 * command loses its redirections.
 */
export const waiting = (node: SimpleCommandNode): SimpleCommandNode =>
  plainText(node.name) === 'wait' ? { ...node, name: literal(innerPath(WAIT)), redirections: [] } : node
