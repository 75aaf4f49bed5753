import type { Command, Statement, SyntaxNode, Word } from 'unbash'
import { walk } from './walk.ts'
import { literalOf } from './words.ts'

/** A command that runs a script of the sandbox. */
export interface Run {
  readonly command: Command
  /** The word that names the file. */
  readonly file: Word
  /** What stands before the arguments of the script. */
  readonly end: number
  /** By its path, with the interpreter of its first line; by a shell; or in the shell itself. */
  readonly kind: 'path' | 'shell' | 'source'
}

const SHELLS: ReadonlySet<string> = new Set([
  'sh',
  'bash',
  'dash',
  '/bin/sh',
  '/bin/bash',
  '/usr/bin/bash',
  '/usr/bin/sh',
])

/** The commands below a node that run scripts. */
export function runsIn(node: SyntaxNode): Run[] {
  const found: Run[] = []
  walk(node, ({ node: one }) => {
    const run = one.type === 'Command' ? runOf(one) : undefined
    if (run !== undefined) found.push(run)
  })
  return found
}

function runOf(command: Command): Run | undefined {
  const name = literalOf(command.name)
  if (name === undefined || command.name === undefined) {
    const text = command.name?.text ?? ''
    return command.name !== undefined && /^"?\$\{?\w+\}?"?\/[\w./-]+"?$/.test(text)
      ? { command, file: command.name, end: command.name.end, kind: 'path' }
      : undefined
  }
  if (name.includes('/') && !SHELLS.has(name))
    return { command, file: command.name, end: command.name.end, kind: 'path' }
  const words = command.args.filter((arg) => arg.type === 'Word')
  const [first] = words
  if (first === undefined) return undefined
  if (name === '.' || name === 'source') return { command, file: first, end: first.end, kind: 'source' }
  if (!SHELLS.has(name)) return undefined
  return first.text.startsWith('-') ? undefined : { command, file: first, end: first.end, kind: 'shell' }
}

/** A part of a command that runs on its own, and when: always, or by the status of the part before. */
export interface Part {
  readonly joint: ';' | '&&' | '||'
  readonly nodes: readonly SyntaxNode[]
  readonly runs: readonly Run[]
  /** It is followed by \`&&\` or \`||\`. */
  readonly isTested: boolean
}

/** Takes a command apart around the statements that run scripts; undefined where none does, or it cannot be. */
export function partsOf(statements: readonly Statement[]): Part[] | undefined {
  const parts: Part[] = []
  let plain: Statement[] = []
  const flush = () => {
    if (plain.length > 0) parts.push({ joint: ';', nodes: plain, runs: [], isTested: false })
    plain = []
  }
  let found = false
  for (const statement of statements) {
    const runs = runsIn(statement)
    if (runs.length === 0) {
      plain.push(statement)
      continue
    }
    found = true
    flush()
    const { command } = statement
    if (command.type !== 'AndOr' || statement.background === true) {
      parts.push({ joint: ';', nodes: [statement], runs, isTested: false })
      continue
    }
    for (const [index, element] of command.commands.entries()) {
      parts.push({
        joint: index === 0 ? ';' : (command.operators[index - 1] ?? ';'),
        nodes: [element],
        runs: runsIn(element),
        isTested: index < command.commands.length - 1,
      })
    }
  }
  flush()
  return found ? parts : undefined
}
