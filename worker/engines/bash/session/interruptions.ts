import type { JustBash, StatementNode } from '../just-bash.ts'
import { isInner } from '../transform/inner-command.ts'
import { literal, plainText, simple, single } from '../transform/nodes.ts'
import { innerOf } from '../transform/walk.ts'
import type { InterpreterState } from './interpreter-state.ts'
import { nameOfSignal } from './signals.ts'

/** What a shell runs between two of its statements. */
export interface Interruption {
  readonly statements: readonly StatementNode[]
  /** It has run, or has ended the shell. */
  end(): void
}

/** A statement that has ended. */
export interface Ended {
  readonly node: StatementNode
  /** Whether it failed where nothing asked for its status. */
  readonly hasFailed: boolean
}

/** What an interruption is made of. */
interface Interruptible {
  /** Commands by condition, as `trap` set them. */
  readonly traps: ReadonlyMap<string, string>
  /** Reads the text of a trap. */
  readonly read: (text: string) => readonly StatementNode[]
  readonly serialize: JustBash['serialize']
}

/** Signals that end no shell. */
const HARMLESS: ReadonlySet<string> = new Set(['CHLD', 'CONT', 'URG', 'WINCH'])

/** Their own statements have failed before. */
const COMPOUND: ReadonlySet<string> = new Set(['Case', 'CStyleFor', 'For', 'Group', 'If', 'Until', 'While'])

/** What comes between the statements of one shell: the signals that it sends to itself, and `trap … ERR`. */
export class Interruptions {
  readonly #of: Interruptible
  readonly #signals: number[] = []
  /** Calls of functions around the `trap` of `ERR` that is set: those inside of it have it with `set -E` alone. */
  #failureDepth: number | undefined
  #runs = false

  constructor(of: Interruptible) {
    this.#of = of
  }

  /** Whether statements are to be told of. */
  get expected(): boolean {
    return this.#signals.length > 0 || this.#failureDepth !== undefined || this.#of.traps.has('ERR')
  }

  /** The shell gets a signal, and does what that says after the statement that runs. */
  send(signal: number): void {
    if (signal !== 0) this.#signals.push(signal)
  }

  /** @param state - of what runs: that of a subshell is another than the shell's. */
  after(state: InterpreterState, bashPid: number, ended: Ended): Interruption | undefined {
    const isOwn = state.bashPid === bashPid
    const statements = isOwn ? this.#signals.splice(0).flatMap((signal) => this.#forSignal(signal)) : []
    if (this.#catches(state, isOwn) && failedBySelf(ended)) {
      state.env.set('BASH_COMMAND', this.#textOf(ended.node))
      state.currentLine = lineOf(ended.node.pipelines.at(-1)) ?? state.currentLine
      statements.push(...this.#read('ERR'))
    }
    if (statements.length === 0) return undefined
    this.#runs = true
    return {
      statements,
      end: () => {
        this.#runs = false
        state.env.delete('BASH_COMMAND')
      },
    }
  }

  #forSignal(signal: number): readonly StatementNode[] {
    const name = nameOfSignal(signal)
    if (name !== undefined && this.#of.traps.has(name)) return this.#read(name)
    if (name !== undefined && HARMLESS.has(name)) return []
    return [single(simple('exit', literal(String(128 + signal))))]
  }

  #catches({ callDepth, options }: InterpreterState, isOwn: boolean): boolean {
    if (!this.#of.traps.has('ERR')) {
      this.#failureDepth = undefined
      return false
    }
    if (this.#runs) return false
    if (isOwn) this.#failureDepth = Math.min(this.#failureDepth ?? callDepth, callDepth)
    return options['errtrace'] === true || (isOwn && callDepth === this.#failureDepth)
  }

  #read(condition: string): readonly StatementNode[] {
    return this.#of.read(this.#of.traps.get(condition) ?? '')
  }

  /** As bash writes it, or as the script does. */
  #textOf({ pipelines, sourceText = '' }: StatementNode): string {
    const command = pipelines.at(-1)?.commands.at(-1)
    if (command?.type !== 'SimpleCommand' || isInner(plainText(command.name) ?? '')) return sourceText
    const isSole = pipelines.length === 1 && pipelines[0]?.commands.length === 1
    if (isSole && command.redirections.length === 0 && sourceText !== '') return sourceText
    return this.#of.serialize({ type: 'Script', statements: [single(command)] }).trimEnd()
  }
}

function failedBySelf({ node, hasFailed }: Ended): boolean {
  const [command, ...others] = node.pipelines.at(-1)?.commands ?? []
  return hasFailed && (others.length > 0 || (command !== undefined && !COMPOUND.has(command.type)))
}

/** The line where it begins. */
function lineOf(value: object | undefined): number | undefined {
  if (value === undefined) return undefined
  if ('line' in value && typeof value.line === 'number') return value.line
  for (const inner of innerOf(value)) {
    const line = lineOf(inner)
    if (line !== undefined) return line
  }
  return undefined
}
