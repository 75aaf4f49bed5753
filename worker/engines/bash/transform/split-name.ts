import type { CommandNode, SimpleCommandNode, WordPart } from '../just-bash.ts'
import { generatedGroup, plainText, simple, single, word } from './nodes.ts'

/** Expands to nothing, also under `set -u`. */
const NOTHING: WordPart = {
  type: 'ParameterExpansion',
  parameter: '__a0',
  operation: { type: 'DefaultValue', word: word({ type: 'Literal', value: '' }), checkEmpty: false },
}

/** How often just-bash reads the redirections of a command that has run. */
const ONCE_MORE = 2

const SPLIT = new Set(['ParameterExpansion', 'CommandSubstitution'])

/**
 * `$cmd args` where `cmd='echo hi'`, and `"${cmd[@]}"`: just-bash takes the name as one word. Where a name is empty it takes the first
 * of the words behind it, which are split.
 */
export function splitName(node: SimpleCommandNode): SimpleCommandNode {
  const { name, args } = node
  if (name === null || !name.parts.some((part) => SPLIT.has(part.type) || isList(part))) return node
  return { ...node, name: word(NOTHING), args: [name, ...args] }
}

/**
 * `$cmd` whose words are all empty: its status is 0, and just-bash leaves that of the command before. It reads the redirections of a
 * command that has a name once more, after it has run.
 */
export function statusOfNothing(node: SimpleCommandNode): CommandNode {
  const { redirections } = node
  if (redirections.length > 0 || /"type":"CommandSubstitution"/.test(JSON.stringify(node.args))) return node
  const runs: { read: number }[] = []
  const watched = { ...node }
  Object.defineProperty(watched, 'redirections', {
    enumerable: true,
    get: () => {
      const run = runs.at(-1)
      if (run !== undefined) run.read += 1
      return redirections
    },
  })
  return generatedGroup(
    function* () {
      const run = { read: 0 }
      runs.push(run)
      try {
        yield single(watched)
        if (run.read < ONCE_MORE) yield single(simple(':'))
      } finally {
        runs.pop()
      }
    },
    [single(node)],
  )
}

/** `"${cmd[@]}"` and `"$@"` are as many words as they have elements. */
const isList = (part: WordPart): boolean =>
  part.type === 'DoubleQuoted' &&
  part.parts.some((inner) => inner.type === 'ParameterExpansion' && /^@$|\[@\]$/.test(inner.parameter))

/** `readarray -d,`: just-bash knows the value as a word of its own. */
export function detachDelimiter(node: SimpleCommandNode): SimpleCommandNode {
  const name = plainText(node.name)
  if (name !== 'readarray' && name !== 'mapfile') return node
  const args = node.args.flatMap((arg) => {
    const [first, ...rest] = arg.parts
    const attached = first?.type === 'Literal' ? /^-(t?)d([\s\S]*)$/.exec(first.value) : null
    if (attached === null || first?.type !== 'Literal') return [arg]
    const alone = attached[2] === '' && rest.length === 0
    const value = word({ ...first, value: attached[2] ?? '' }, ...rest)
    const flag = (letter: string) => word({ ...first, value: `-${letter}` })
    return [...(attached[1] === 't' ? [flag('t')] : []), flag('d'), ...(alone ? [] : [value])]
  })
  return { ...node, args }
}
