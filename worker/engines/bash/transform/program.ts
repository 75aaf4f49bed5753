import type {
  CommandNode,
  JustBash,
  ScriptNode,
  ShellFunction,
  SimpleCommandNode,
  StatementNode,
  SyntaxNode,
} from '../just-bash.ts'
import { quotedAlternative } from './alternative.ts'
import { andTail } from './and-tail.ts'
import { exactArithmetic } from './arithmetic.ts'
import { mendSpacing } from './arithmetic-spacing.ts'
import { collectArrays } from './arrays.ts'
import { assignmentStatus } from './assignment-status.ts'
import { declareArray } from './declare-array.ts'
import { declareFunction } from './declare-function.ts'
import { doubleParenthesis } from './double-parenthesis.ts'
import { fileCommand } from './file-command.ts'
import { forWithoutWords } from './for-words.ts'
import { lazyEval, sourced, stdinSource } from './lazy-eval.ts'
import { maskArithmetic, restoreArithmetic } from './masked-arithmetic.ts'
import { mendNegation } from './negated-class.ts'
import { restoreRegexes, takeRegexes } from './regex-words.ts'
import { noteState } from './stateful.ts'
import type { Traits } from './traits.ts'
import { walk } from './walk.ts'

/** A script made ready to run. */
export interface Program extends Traits {
  readonly statements: readonly StatementNode[]
}

/** just-bash changes the letters of an array's elements as of one text. */
function refuseJoined({ parameter, operation }: Extract<SyntaxNode, { type: 'ParameterExpansion' }>): void {
  if (operation?.type === 'CaseModification' && /\[@\]$|^@$/.test(parameter))
    throw new Error(
      'changing the letters of each element, as ^^ after [@] does, is not known here: use a loop',
    )
}

/** Told of every function definition that the session's own shell carries out. */
export type DefinitionListener = (definition: ShellFunction) => void

/** Characters of all scripts that are kept parsed. */
const KEPT = 4_000_000

/** Parses scripts, rewrites what just-bash does otherwise than bash, and keeps the trees. */
export class Programs {
  readonly #justBash: Pick<JustBash, 'parse' | 'serialize'>
  readonly #parse: JustBash['parse']
  readonly #kept = new Map<string, Program>()
  #characters = 0
  /** The session whose program runs now. */
  onDefinition: DefinitionListener = () => undefined
  /** Parses what `eval` was given, and answers with its statements. */
  readonly evaluated: { current: readonly StatementNode[] } = { current: [] }

  constructor(justBash: Pick<JustBash, 'parse' | 'serialize'>) {
    this.#justBash = justBash
    this.#parse = justBash.parse
  }

  /** @throws just-bash's ParseException. */
  read(text: string): Program {
    const known = this.#kept.get(text)
    if (known !== undefined) return known
    const masked = maskArithmetic(text)
    const taken = masked.includes('=~') ? takeRegexes(masked) : { text: masked, expressions: [] }
    const ast = this.#parse(taken.text)
    if (masked !== text) restoreArithmetic(ast, this.#parse)
    restoreRegexes(ast, taken.expressions, this.#parse)
    const program = this.#prepare(ast)
    this.#keep(text, program)
    return program
  }

  #prepare(ast: ScriptNode): Program {
    const traits: Traits = { arrays: new Set(), commands: new Set(), stateful: false, definitions: [] }
    walk(ast, (node, inSubshell) => this.#rewrite(node, inSubshell, traits))
    return { statements: ast.statements, ...traits }
  }

  /** Rewrites a tree that just-bash parsed by itself. */
  rewritten(ast: ScriptNode): ScriptNode {
    this.#prepare(ast)
    return ast
  }

  #rewrite(node: SyntaxNode, inSubshell: boolean, traits: Traits): object {
    collectArrays(node, traits)
    noteState(node, traits)
    switch (node.type) {
      case 'Subshell': {
        const mended = doubleParenthesis(node, this.#justBash)
        return mended === node ? node : this.#exact(mended, traits)
      }
      case 'FunctionDef':
        return this.#observed(node, inSubshell, traits)
      case 'For':
        return this.#exact(forWithoutWords(node), traits)
      case 'Case':
      case 'ConditionalCommand':
        mendNegation(node)
        return this.#exact(node, traits)
      case 'ArithmeticCommand':
        mendSpacing(node, this.#parse)
        return this.#exact(node, traits)
      case 'CStyleFor':
        mendSpacing(node, this.#parse)
        return node
      case 'ParameterExpansion':
        refuseJoined(node)
        return node
      case 'DoubleQuoted':
        return quotedAlternative(node)
      case 'While':
      case 'Until':
        return andTail(node)
      case 'SimpleCommand':
        return this.#simple(node, traits)
      default:
        return node
    }
  }

  #simple(node: SimpleCommandNode, traits: Traits): CommandNode {
    const declared = declareArray(node)
    if (declared !== node) return declared
    const command = stdinSource(fileCommand(declareFunction(node)))
    const evaluating = lazyEval(command, this.evaluated)
    if (evaluating !== command) return this.#exact(evaluating, traits)
    const sourcing = sourced(command)
    if (sourcing !== command) return this.#exact(sourcing, traits)
    const exact = this.#exact(command, traits)
    return exact === command ? assignmentStatus(command) : exact
  }

  #exact(node: CommandNode, traits: Traits): CommandNode {
    const exact = exactArithmetic(node, this.#parse)
    // It may end the shell.
    if (exact !== node) traits.stateful = true
    return exact
  }

  /** The interpreter copies a definition when it carries it out, which reads its body. */
  #observed(node: ShellFunction, inSubshell: boolean, traits: Traits): object {
    if (!inSubshell) traits.definitions.push(this.observe(node))
    return node
  }

  /** Has the definition told when it is carried out. As JSON it says that it is computed. @returns what is told */
  observe(node: ShellFunction): ShellFunction {
    const { body } = node
    // The source keeps what was written; the tree that runs is rewritten.
    const definition = { ...node }
    Object.defineProperty(node, 'body', {
      enumerable: true,
      get: () => {
        this.onDefinition(definition)
        return body
      },
    })
    Object.defineProperty(node, 'toJSON', { value: () => ({ ...definition, computed: true }) })
    return definition
  }

  #keep(text: string, program: Program): void {
    if (text.length > KEPT / 4) return
    this.#kept.set(text, program)
    this.#characters += text.length
    for (const [oldest] of this.#kept) {
      if (this.#characters <= KEPT) break
      this.#kept.delete(oldest)
      this.#characters -= oldest.length
    }
  }
}
