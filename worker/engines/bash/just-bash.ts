import type * as justBash from 'just-bash'
import type {
  BashOptions,
  CommandNode,
  PipelineNode,
  ScriptNode,
  SimpleCommandNode,
  StatementNode,
  WordNode,
} from 'just-bash'

export type JustBash = typeof justBash
export type {
  Bash,
  CommandNode,
  ExecResult,
  IFileSystem,
  PipelineNode,
  ResolvedCommandContext as CommandContext,
  ScriptNode,
  SimpleCommandNode,
  StatementNode,
  WordNode,
} from 'just-bash'

export type SecureFetch = NonNullable<BashOptions['fetch']>
export type ExecutionLimits = NonNullable<BashOptions['executionLimits']>

/** A node of just-bash's syntax tree, by its `type`. */
export type NodeOf<T extends CommandNode['type']> = Extract<CommandNode, { type: T }>
export type ShellFunction = NodeOf<'FunctionDef'>
export type WordPart = WordNode['parts'][number]
type Assignment = SimpleCommandNode['assignments'][number]
type Expansion = Extract<WordPart, { type: 'ParameterExpansion' }>
type Arithmetic = NodeOf<'ArithmeticCommand'>['expression']

/** Whatever a tree is made of. */
export type SyntaxNode =
  | CommandNode
  | ScriptNode
  | StatementNode
  | PipelineNode
  | WordNode
  | WordPart
  | Assignment
  | Arithmetic
  | Arithmetic['expression']
  | NonNullable<Expansion['operation']>

/** What is thrown where just-bash is not the pinned version. @param does - such as `keeps its files` */
export const unlikePinned = (does: string) =>
  new TypeError(`This just-bash ${does} in another way than 3.4.2.`)
