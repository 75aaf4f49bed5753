import type { CommandNode, JustBash, NodeOf, SimpleCommandNode } from '../just-bash.ts'
import { plainText } from './nodes.ts'

/** `((x -= 1))`: just-bash takes it for a subshell in a subshell that runs `x`. */
export function doubleParenthesis(
  node: NodeOf<'Subshell'>,
  { parse, serialize }: Pick<JustBash, 'parse' | 'serialize'>,
): CommandNode {
  const command = onlyCommand(onlyCommand(node))
  if (command?.type !== 'SimpleCommand' || !isArithmetic(command)) return node
  const text = serialize({ type: 'Script', statements: [statementOf(command)] }).trim()
  const part = wordPart(parse(`: $((${text}))`))
  if (part === undefined || /ArithSyntaxError/.test(JSON.stringify(part))) return node
  return { type: 'ArithmeticCommand', expression: part, redirections: node.redirections }
}

function onlyCommand(node: CommandNode | undefined): CommandNode | undefined {
  if (node?.type !== 'Subshell' || node.body.length !== 1) return undefined
  const [statement] = node.body
  const [pipeline] = statement?.pipelines ?? []
  return statement?.pipelines.length === 1 && pipeline?.commands.length === 1
    ? pipeline.commands[0]
    : undefined
}

const isArithmetic = (command: SimpleCommandNode) =>
  /^[A-Za-z_]\w*$/.test(plainText(command.name) ?? '') && /^([-+*/%&|^]=?|[<>=!]=|=)/.test(firstText(command))

function firstText({ args: [first] }: SimpleCommandNode): string {
  const part = first?.parts[0]
  return part?.type === 'Literal' ? part.value : ''
}

const statementOf = (command: CommandNode) => ({
  type: 'Statement' as const,
  pipelines: [{ type: 'Pipeline' as const, commands: [command], negated: false }],
  operators: [],
  background: false,
})

function wordPart(ast: ReturnType<JustBash['parse']>) {
  const command = ast.statements[0]?.pipelines[0]?.commands[0]
  const part = command?.type === 'SimpleCommand' ? command.args[0]?.parts[0] : undefined
  return part?.type === 'ArithmeticExpansion' ? part.expression : undefined
}
