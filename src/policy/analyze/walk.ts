import { forEachChild, type ParsedScript, parse, type SyntaxNode } from 'unbash'
import { runCommand } from './commands.ts'
import { inputOf } from './input.ts'
import { takeRedirect } from './redirects.ts'
import type { Scope } from './scope.ts'
import { argumentOf, literalOf, literalOfValue } from './words.ts'

/** Here-documents times characters, at most: the parser looks for the end of each. */
const MOST_HERE_DOCUMENTS = 100_000_000

/** Takes down what a text says; false where it cannot be read. */
export function walkText(text: string, scope: Scope): boolean {
  if (text.includes('\0') || text.length * count(text, '<<') > MOST_HERE_DOCUMENTS) return false
  const tree: ParsedScript = parse(text)
  if (tree.errors !== undefined && tree.errors.length > 0) return false
  visit(tree, text, scope)
  return true
}

/** Takes down what a literal text says that another program runs as a script. */
function walkInner(text: string, scope: Scope): void {
  scope.collector.charge(text.length)
  if (!walkText(text, scope)) scope.collector.opaque('syntax', text)
}

function visit(node: SyntaxNode, source: string, scope: Scope): void {
  const { collector } = scope
  switch (node.type) {
    case 'Script':
      visitScript(node, source, scope)
      return
    case 'Command': {
      for (const word of node.prefix) if (word.type === 'Assignment') assign(word, scope)
      const words = node.name === undefined ? [] : [node.name, ...node.args]
      const text = source.slice(node.pos, node.end)
      runCommand(
        words.map((word) => argumentOf(word, source)),
        { text, input: inputOf(node.redirects), walk: walkInner },
        scope,
      )
      for (const word of node.args) if (word.type === 'Assignment') assign(word, scope)
      break
    }
    case 'Function':
      collector.function(literalOf(node.name) ?? node.name.text)
      break
    case 'For':
    case 'Select':
      collector.assignment(node.name.value, undefined)
      break
    case 'Redirect':
      takeRedirect(node, collector)
      break
    case 'CommandExpansion':
    case 'ProcessSubstitution':
    case 'ArithmeticCommandExpansion':
      collector.charge(node.text.length)
      collector.substitution(node.text)
      if (node.script === undefined) collector.opaque('syntax', node.text)
      break
    case 'ArithmeticExpansion':
      collector.charge(node.text.length)
      // What the parser does not read as arithmetic may hold a substitution.
      if (node.expression === undefined && /[$`]/.test(node.text.slice(1)))
        collector.opaque('syntax', node.text)
      break
    case 'ArithmeticCommand':
      if (node.expression === undefined && /[$`]/.test(node.body)) collector.opaque('syntax', node.body)
      break
    case 'ParameterExpansion':
      collector.charge(node.text.length)
      visitParameter(node, scope)
      break
    default:
  }
  forEachChild(node, (child) => visit(child, source, scope))
}

function visitScript(node: ParsedScript, source: string, scope: Scope): void {
  if (node.errors !== undefined && node.errors.length > 0) {
    scope.collector.opaque('syntax', source.slice(node.pos, node.end))
  }
  const own = node.source ?? source
  forEachChild(node, (child) => visit(child, own, scope))
}

function visitParameter(
  node: Extract<SyntaxNode, { readonly type: 'ParameterExpansion' }>,
  { collector }: Scope,
): void {
  const { operation, parameter, text } = node
  if (operation === undefined) return
  // A prompt (`${x@P}`) has substitutions that run.
  if (operation.type === 'Transform' && operation.operand.value !== 'Q') collector.opaque('script', text)
  if (operation.type === 'Unknown') collector.opaque('syntax', text)
  if (operation.type === 'Default' && operation.operator.endsWith('=')) {
    collector.assignment(parameter, literalOf(operation.operand))
  }
}

function assign(node: Extract<SyntaxNode, { readonly type: 'Assignment' }>, { collector }: Scope): void {
  const isWhole = node.append !== true && node.index === undefined
  collector.assignment(node.name, isWhole ? literalOfValue(node.value) : undefined)
  // A shell that starts reads the file that these name.
  if (node.name === 'BASH_ENV' || node.name === 'ENV') collector.opaque('file', node.text)
}

function count(text: string, part: string): number {
  let found = 0
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) found++
  return found
}
