import type {
  CommandNode,
  NodeOf,
  PipelineNode,
  SimpleCommandNode,
  StatementNode,
  WordNode,
  WordPart,
} from '../just-bash.ts'

export const literal = (value: string): WordNode => word({ type: 'Literal', value })

export const word = (...parts: WordPart[]): WordNode => ({ type: 'Word', parts })

/** A text in single quotes. */
export const singleQuoted = (value: string): WordNode => word({ type: 'SingleQuoted', value })

/** `"$name"` */
export const quotedParameter = (parameter: string): WordNode =>
  word({ type: 'DoubleQuoted', parts: [{ type: 'ParameterExpansion', parameter, operation: null }] })

/** A command that a script has itself. */
export const command = (name: string, ...args: WordNode[]): SimpleCommandNode => ({
  type: 'SimpleCommand',
  assignments: [],
  name: literal(name),
  args,
  redirections: [],
})

/** A command that only a rewritten script has: no rule of a policy counts for what it names. */
export const simple = (name: string, ...args: WordNode[]): SimpleCommandNode & { readonly own: string } => ({
  ...command(name, ...args),
  own: name,
})

type Assignment = SimpleCommandNode['assignments'][number]

/** Assignments that are no command's. */
export const assigning = (...assignments: Assignment[]): SimpleCommandNode => ({
  ...simple(':'),
  name: null,
  assignments,
})

/** `name=value` */
export const assignWord = (name: string, value: WordNode): SimpleCommandNode =>
  assigning({ type: 'Assignment', name, value, append: false, array: null })

/** `name=(words)` or `name+=(words)` */
export const assignArray = (name: string, array: WordNode[], append = false): SimpleCommandNode =>
  assigning({ type: 'Assignment', name, value: null, append, array })

export const pipeline = (...commands: CommandNode[]): PipelineNode => ({
  type: 'Pipeline',
  commands,
  negated: false,
})

export const statement = (
  pipelines: PipelineNode[],
  operators: StatementNode['operators'] = [],
): StatementNode => ({ type: 'Statement', pipelines, operators, background: false })

/** One command as a statement. */
export const single = (command: CommandNode): StatementNode => statement([pipeline(command)])

/** The command that is all of a statement in the foreground; undefined where there are more, or it is negated. */
export function soleCommand({
  pipelines: [only, ...more],
  background,
}: StatementNode): CommandNode | undefined {
  const isSole = more.length === 0 && only?.commands.length === 1 && !only.negated && !background
  return isSole ? only.commands[0] : undefined
}

export const group = (
  body: StatementNode[],
  redirections: NodeOf<'Group'>['redirections'] = [],
): NodeOf<'Group'> => ({ type: 'Group', body, redirections })

/** A group of what the generator yields each time. As JSON it is a group of the statements that are given. */
export function generatedGroup(
  statements: () => Iterator<StatementNode>,
  plain: StatementNode[],
): NodeOf<'Group'> {
  const node = group([])
  Object.defineProperty(node, 'body', { enumerable: true, value: { [Symbol.iterator]: statements } })
  Object.defineProperty(node, 'toJSON', { value: () => group(plain) })
  return node
}

/** The text of a word that has no expansion and no quotes, or undefined. */
export function plainText(node: WordNode | null | undefined): string | undefined {
  if (node === null || node === undefined || node.parts.length !== 1) return undefined
  const [part] = node.parts
  return part?.type === 'Literal' ? part.value : undefined
}
