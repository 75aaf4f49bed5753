import type {
  CommandNode,
  JustBash,
  PipelineNode,
  ScriptNode,
  ShellFunction,
  SimpleCommandNode,
  StatementNode,
  SyntaxNode,
} from '../just-bash.ts'
import { quotedAlternative } from './alternative.ts'
import { mendSpacing } from './arithmetic-spacing.ts'
import { collectArrays } from './arrays.ts'
import { inTurn, withStatus } from './assignment-order.ts'
import { assignment, keepingStatus } from './assignment-status.ts'
import { background, waiting } from './background.ts'
import { listWords } from './brace-words.ts'
import { refuseCapturedCopies } from './captured-copies.ts'
import { conditionList, withoutErrexit } from './condition-lists.ts'
import { cutPipes, type Readers } from './cut-pipes.ts'
import { declareArray } from './declare-array.ts'
import { declareFunction } from './declare-function.ts'
import { lineEnds } from './discard.ts'
import { echoEscapes } from './echo-escapes.ts'
import { endlessFile, endlessStatements } from './endless.ts'
import { groupBehindExec, noteExec } from './exec-output.ts'
import { executed } from './exec-program.ts'
import { bracketPatterns, numberOfWords, quotedKey } from './expansions.ts'
import { exportFunctions } from './export-functions.ts'
import { fileCommand } from './file-command.ts'
import { containedOutput } from './file-output.ts'
import { forWithoutWords } from './for-words.ts'
import { type Forking, redirected } from './fork.ts'
import { after, exactArithmetic, type HoistContext, heldName, hoist } from './hoist.ts'
import { boundJumps } from './jumps.ts'
import { KeptPrograms } from './kept-programs.ts'
import { lazyEval, stdinSource } from './lazy-eval.ts'
import { parseLines } from './lines-before.ts'
import { literalBraces, literalWord } from './literal-braces.ts'
import { localDeclarations } from './local-declarations.ts'
import { mergeAtOnce } from './merged-errors.ts'
import { mendNegation } from './negated-class.ts'
import { group, plainText, simple, single, singleQuoted } from './nodes.ts'
import { writeAtOnce } from './own-output.ts'
import { parseScript } from './parse-script.ts'
import { splitBesideQuotes } from './quoted-default.ts'
import { type ReadonlyNames, refusingReadonly } from './readonly-names.ts'
import { type InputTaken, noteInputs } from './shared-input.ts'
import { detachDelimiter, splitName, statusOfNothing } from './split-name.ts'
import { noteState } from './stateful.ts'
import { stoppable } from './stoppable.ts'
import { pipelineTaking, subshellTaking, takingInput } from './taking-input.ts'
import type { Program, Traits } from './traits.ts'
import { trapping, trappingScript, trappingStages } from './trapping.ts'
import { setsUmask, type Umask, umaskScope } from './umask-scope.ts'
import { namedIfUnset } from './unset-message.ts'
import { walk, withoutLines } from './walk.ts'
import { wideRange } from './wide-range.ts'

/** Told of every function definition that the session's own shell carries out. */
export type DefinitionListener = (definition: ShellFunction) => void

/** Parses scripts, rewrites what just-bash does otherwise than bash, and keeps the trees. */
export class Programs {
  readonly #parse: JustBash['parse']
  readonly #kept = new KeptPrograms()
  /** The session whose program runs now. */
  onDefinition: DefinitionListener = () => undefined
  /** What the readers of pipes have left. */
  readonly readers: Readers & { unread: boolean } = {
    unread: false,
    takeUnread() {
      const { unread } = this
      this.unread = false
      return unread
    },
  }
  /** Parses what `eval` was given, and answers with its statements. */
  readonly evaluated: { current: readonly StatementNode[] } = { current: [] }

  /** What programs take of the input that they share. */
  readonly inputTaken: InputTaken = { next: undefined, status: 0, statuses: [], left: undefined }

  /** What runs in a shell of its own. */
  readonly forking: Forking = { current: undefined, words: () => [] }

  /** What the shell that runs must not assign to. */
  readonly readonlyNames: ReadonlyNames = { current: new Set() }

  readonly #isEnding: () => boolean
  readonly #files: Umask
  readonly #denies: (name: string) => boolean

  /**
   * @param isEnding - whether the script that runs must end.
   * @param files - have what `umask` sets.
   * @param denies - whether a policy denies a name: such a command stays as it is, and is refused when it is dispatched.
   */
  constructor(
    { parse }: Pick<JustBash, 'parse'>,
    isEnding: () => boolean = () => false,
    files: Umask = { umask: 0o022 },
    denies: (name: string) => boolean = () => false,
  ) {
    this.#denies = denies
    this.#isEnding = isEnding
    this.#files = files
    this.#parse = parse
  }

  /** Of a script with an error the lines before it. @throws just-bash's ParseException where there are none. */
  read(text: string): Program {
    const known = this.#kept.get(text)
    if (known !== undefined) return known
    const { ast, problem } = parseLines(text, (lines) => parseScript(lines, this.#parse))
    const program = { ...this.#prepare(ast), ...(problem === undefined ? {} : { problem }) }
    this.#kept.set(text, program)
    return program
  }

  /** Reads the text of a trap: its commands have the line of what they come after. What cannot be read says so when it runs. */
  readTrap(text: string): readonly StatementNode[] {
    try {
      const ast = parseScript(text, this.#parse)
      withoutLines(ast)
      return this.#prepare(ast).statements
    } catch {
      return [single(simple('eval', singleQuoted(text)))]
    }
  }

  #prepare(ast: ScriptNode): Program {
    const traits: Traits = {
      arrays: new Set(),
      commands: new Set(),
      stateful: false,
      assigns: false,
      slow: false,
      redirects: false,
      captures: false,
      definitions: [],
    }
    groupBehindExec(ast.statements)
    const ends = lineEnds(ast.statements)
    endlessStatements(ast.statements)
    refuseCapturedCopies(ast)
    writeAtOnce(ast)
    mergeAtOnce(ast)
    noteInputs(ast)
    walk(ast, (node, inSubshell) => this.#rewrite(node, inSubshell, traits))
    // One that is stopped while it runs as it is leaves nothing behind.
    traits.stateful ||= traits.assigns && traits.slow
    return { statements: ast.statements, lineEnds: ends, ...traits }
  }

  /** Rewrites a tree that just-bash parsed by itself. */
  rewritten(ast: ScriptNode): ScriptNode {
    boundJumps(ast)
    localDeclarations(ast)
    this.#prepare(ast)
    return ast
  }

  #rewrite(node: SyntaxNode, inSubshell: boolean, traits: Traits): object {
    listWords(node)
    collectArrays(node, traits)
    noteState(node, traits)
    noteExec(node, traits)
    redirected(node)
    switch (node.type) {
      case 'Statement':
        return background(conditionList(node), inSubshell, this.forking, traits)
      case 'CommandSubstitution': {
        const { body } = node
        endlessStatements(body.statements)
        const safe = withoutErrexit(trappingScript(body.statements, this.forking, traits))
        const inner = safe.map((one) => {
          const [command] = one.pipelines[0]?.commands ?? []
          return command?.type === 'Subshell' && safe.length === 1 && one.pipelines.length === 1
            ? single(subshellTaking(node, command, this.inputTaken))
            : one
        })
        const scoped = setsUmask(body.statements) ? [single(umaskScope(group(inner), this.#files))] : inner
        return { ...node, body: { ...body, statements: scoped } }
      }
      case 'Subshell': {
        const exact = this.#exact(trapping(node, this.forking, traits), inSubshell, traits)
        const scoped = setsUmask(node.body) ? umaskScope(exact, this.#files) : exact
        return subshellTaking(node, scoped, this.inputTaken)
      }
      case 'FunctionDef':
        return this.#observed(node, inSubshell, traits)
      case 'For': {
        const loop = forWithoutWords(node)
        stoppable(loop, this.#isEnding)
        const exact = this.#exact(loop, inSubshell, traits)
        return refusingReadonly(exact, loop, inSubshell, this.readonlyNames)
      }
      case 'Case':
        mendNegation(node)
        literalBraces(node)
        return this.#exact(node, inSubshell, traits)
      case 'ConditionalCommand':
        mendNegation(node)
        literalBraces(node)
        return this.#exact(node, inSubshell, traits)
      case 'ArithmeticCommand':
        mendSpacing(node, this.#parse)
        return refusingReadonly(this.#exact(node, inSubshell, traits), node, inSubshell, this.readonlyNames)
      case 'CStyleFor':
        mendSpacing(node, this.#parse)
        stoppable(node, this.#isEnding)
        return this.#exact(node, inSubshell, traits)
      case 'While':
      case 'Until':
        stoppable(node, this.#isEnding)
        return this.#exact(node, inSubshell, traits)
      case 'Group':
        stoppable(node, this.#isEnding)
        return this.#exact(node, inSubshell, traits)
      case 'If':
        return this.#exact(node, inSubshell, traits)
      case 'Pipeline': {
        trappingStages(node, this.forking, traits)
        node.commands = node.commands.map(containedOutput)
        const cut = cutPipes(node, this.readers)
        const whole: PipelineNode =
          cut === undefined ? node : { type: 'Pipeline', commands: [cut], negated: node.negated }
        return pipelineTaking(node, whole, this.inputTaken)
      }
      case 'ParameterExpansion':
        return splitBesideQuotes(namedIfUnset(bracketPatterns(numberOfWords(node))))
      case 'BraceExpansion':
        return wideRange(node)
      case 'DoubleQuoted':
        return quotedAlternative(node)
      case 'SimpleCommand':
        return takingInput(node, this.#simple(node, inSubshell, traits), this.inputTaken)
      default:
        return node
    }
  }

  #context(inSubshell: boolean): HoistContext {
    return { parse: this.#parse, inSubshell }
  }

  #simple(node: SimpleCommandNode, inSubshell: boolean, traits: Traits): CommandNode {
    if (this.#denies(plainText(node.name) ?? '')) return node
    const program = executed(node, inSubshell)
    if (program !== undefined) {
      traits.stateful = true
      return group([single(this.#simple(program.command, inSubshell, traits)), ...program.after])
    }
    const turns = inTurn(node)
    if (turns !== undefined) {
      traits.stateful = true
      const commands = turns.map((one) => single(this.#simple(one, inSubshell, traits)))
      return group(withStatus(turns, commands, heldName))
    }
    const written = { ...node, args: [...node.args] }
    const before = hoist(node, this.#context(inSubshell))
    if (before.length > 0) traits.stateful = true
    const mended = after(before, this.#mended(node, inSubshell, traits, before))
    return refusingReadonly(mended, written, inSubshell, this.readonlyNames)
  }

  #mended(
    node: SimpleCommandNode,
    inSubshell: boolean,
    traits: Traits,
    hoisted: readonly StatementNode[],
  ): CommandNode {
    node.args = node.args.map(quotedKey)
    for (const redirection of node.redirections)
      if (redirection.operator === '<<<' && redirection.target.type === 'Word')
        redirection.target = literalWord(redirection.target)
    const declared = declareArray(node)
    if (declared !== node) return declared
    const named = fileCommand(
      declareFunction(exportFunctions(waiting(endlessFile(echoEscapes(detachDelimiter(node)))))),
    )
    const split = splitName(named)
    const command = stdinSource(split)
    const evaluated = lazyEval(command, this.evaluated)
    if (evaluated !== command) {
      traits.stateful = true
      return evaluated
    }
    if (split !== named) return statusOfNothing(command)
    return hoisted.length > 0 ? keepingStatus(command, hoisted) : assignment(command, inSubshell)
  }

  #exact(node: CommandNode, inSubshell: boolean, traits: Traits): CommandNode {
    const exact = exactArithmetic(node, this.#context(inSubshell))
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
}
