import { type Command, parse, type Statement, type SyntaxNode, type Word } from 'unbash'
import { isShell, programAt } from './program-paths.ts'
import { Refusal, refuse } from './refusal.ts'
import { LIMITED } from './timeouts.ts'
import { some, walk } from './walk.ts'
import { literalOf } from './words.ts'

/** A command that runs a script. */
export interface Run {
  readonly command: Command
  /** The word that names a file of the sandbox; undefined where the command has the script itself. */
  readonly file: Word | undefined
  /** The script, where the command has it as a literal text. */
  readonly text: string | undefined
  /** What the script is given; of `-c` without its name. */
  readonly args: readonly Word[]
  /** What `$0` is in a text. */
  readonly zero: string
  /** Options of the shell, as those of `set`. */
  readonly options: readonly string[]
  /** By its path, with the interpreter of its first line; by a shell; or in the shell itself. */
  readonly kind: 'path' | 'shell' | 'source'
}

/** The commands below a node that run files of the sandbox, or a text that does. */
export function runsIn(node: SyntaxNode): Run[] {
  const found: Run[] = []
  walk(node, ({ node: one }) => {
    const run = one.type === 'Command' ? runOf(one) : undefined
    if (run?.file !== undefined || (run?.text !== undefined && runsFiles(run.text))) found.push(run)
  })
  return found
}

/** Whether a text runs files of the sandbox. What cannot be read runs none. */
function runsFiles(text: string): boolean {
  const tree = parse(text)
  try {
    return (tree.errors ?? []).length === 0 && runsIn(tree).length > 0
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

/** Whether a command below a node has a time limit: it ends with its part. */
function hasLimit(node: SyntaxNode): boolean {
  return some(node, ({ node: one }) => one.type === 'Command' && literalOf(one.name) === LIMITED)
}

/** The script that a command runs; undefined where it runs none. @throws Refusal of options that are not known */
export function runOf(command: Command): Run | undefined {
  const name = literalOf(command.name)
  const args = command.args.filter((arg) => arg.type === 'Word')
  const path = (): Run => {
    return { command, file: command.name, text: undefined, args, zero: '', options: [], kind: 'path' }
  }
  if (name === undefined || command.name === undefined) {
    const text = command.name?.text ?? ''
    return /^"?\$\{?\w+\}?"?\/[\w./-]+"?$/.test(text) ? path() : undefined
  }
  if (name.includes('/') && !isShell(name)) return programAt(name) === undefined ? path() : undefined
  const [first, ...others] = args
  if (name === '.' || name === 'source') {
    const file = first
    if (file === undefined) return undefined
    return { command, file, text: undefined, args: others, zero: '', options: [], kind: 'source' }
  }
  return isShell(name) ? shellOf(command, name, args) : undefined
}

/** What the words behind the name of a shell say. */
interface ShellWords {
  /** Options of the shell, as those of `set`. */
  readonly options: readonly string[]
  /** `-c`: the first of the others is a script. */
  readonly isText: boolean
  readonly isInput: boolean
  readonly others: readonly Word[]
}

/** The words of a shell; undefined where they ask about the shell only. @throws Refusal of options that are not known */
export function wordsOfShell(name: string, words: readonly Word[]): ShellWords | undefined {
  const options: string[] = []
  let [isText, isInput, at] = [false, false, 0]
  for (; at < words.length; at++) {
    const literal = literalOf(words[at])
    if (literal === '--') {
      at++
      break
    }
    if (literal === undefined || !/^[-+]./.test(literal)) break
    if (literal === '--version' || literal === '--help') return undefined
    if (/^--(?:login|norc|noprofile|posix)$/.test(literal)) continue
    if (!/^[-+][a-zA-Z]+$/.test(literal)) refuse(`${name} ${literal}`, 'use set in the script')
    for (const letter of literal.slice(1)) {
      if (letter === 'c') isText = true
      else if (letter === 's') isInput = true
      else if (letter === 'o') options.push(`${literal.charAt(0)}o ${literalOf(words[++at]) ?? ''}`)
      else if ('eux'.includes(letter)) options.push(literal.charAt(0) + letter)
      else if (letter !== 'l') refuse(`${name} ${literal}`, 'use set in the script')
    }
  }
  return { options, isText, isInput, others: words.slice(at) }
}

/** `bash [options] FILE args`, `bash [options] -c TEXT name args` and `bash << END`. */
function shellOf(command: Command, name: string, words: readonly Word[]): Run | undefined {
  const found = wordsOfShell(name, words)
  if (found === undefined) return undefined
  const { options, isText, isInput, others } = found
  const [file, ...args] = others
  if (isText) {
    const text = literalOf(file)
    if (text === undefined) refuse(`${name} -c of a text with expansions`, 'give the values as arguments: $1')
    return {
      command,
      file: undefined,
      text,
      args: args.slice(1),
      zero: literalOf(args[0]) ?? name,
      options,
      kind: 'shell',
    }
  }
  if (file !== undefined && !isInput)
    return { command, file, text: undefined, args, zero: '', options, kind: 'shell' }
  const document = command.redirects.find((one) => one.type === 'HereDoc')
  if (document?.type !== 'HereDoc') return undefined
  if (document.delimiter?.quoted !== true && /[$`\\]/.test(document.body.text))
    refuse(`a script for ${name} with expansions`, "quote its delimiter: << 'END'")
  const rest = file === undefined ? args : [file, ...args]
  return {
    command,
    file: undefined,
    text: document.body.text,
    args: rest,
    zero: name,
    options,
    kind: 'shell',
  }
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
    if (runs.length === 0 && !hasLimit(statement)) {
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
