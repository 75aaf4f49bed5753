import type { SimpleCommandNode, StatementNode, WordNode } from '../just-bash.ts'
import { lineEnds } from './discard.ts'
import { innerPath } from './inner-command.ts'
import { quotedParameter, simple } from './nodes.ts'
import type { Program, Traits } from './traits.ts'
import { innerOf } from './walk.ts'

/** `__fork pid status functions arrays…`: takes the shell's state for a shell of its own, which runs a part of the script. */
export const FORK = '__fork'

/** A part of a script that runs in a shell of its own. */
export interface Fork {
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
export function forkCommand(
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

export function programOf(
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
  for (const inner of innerOf(value)) forksIn(inner, found)
}

/** Whether a node forks by itself. */
export const isFork = (value: object): boolean => forks.has(value)
