import type { ScriptNode, WordNode, WordPart } from '../just-bash.ts'

/** The regular expressions of `[[ x =~ … ]]` that were taken out of a script before it was parsed. */
export interface RegexScript {
  readonly text: string
  readonly expressions: readonly string[]
}

const MARK = 'JbReWord'
const MARKED = new RegExp(`${MARK}(\\d+)_`, 'g')

/** Ends the expression at `from`: at a blank outside of groups, brackets and quotes. */
function endOf(text: string, from: number): number {
  let depth = 0
  for (let at = from; at < text.length; at += 1) {
    const character = text[at] ?? ''
    if (character === '\\') at += 1
    else if (character === '"' || character === "'") {
      const close = text.indexOf(character, at + 1)
      if (close < 0) return -1
      at = close
    } else if (character === '[') {
      const close = text.indexOf(']', at + (/^\[\^?\]/.exec(text.slice(at))?.[0].length ?? 1))
      const named = /^\[\^?(?:\[:\w+:\]|[^\]])*\]/.exec(text.slice(at))
      if (close < 0) return -1
      at += (named?.[0].length ?? close - at + 1) - 1
    } else if (character === '$' && /[({]/.test(text[at + 1] ?? '')) {
      const close = text.indexOf(text[at + 1] === '(' ? ')' : '}', at)
      if (close < 0) return -1
      at = close
    } else if (character === '(') depth += 1
    else if (character === ')') depth -= 1
    else if (/\s/.test(character) && depth <= 0) return at
    else if (character === '\n') return -1
  }
  return -1
}

/** Puts a plain word for each unquoted expression, whose parentheses and signs just-bash cannot parse. */
export function takeRegexes(script: string): RegexScript {
  const expressions: string[] = []
  let text = ''
  let at = 0
  for (;;) {
    const found = /=~[ \t]+/.exec(script.slice(at))
    if (found === null) return { text: text + script.slice(at), expressions }
    const start = at + found.index + found[0].length
    const end = endOf(script, start)
    const word = end < 0 ? '' : script.slice(start, end)
    const takes = /[()=\\|{}<>;&]/.test(word) && !/^\$\w+$|^["'].*["']$/.test(word)
    text += script.slice(at, start) + (takes ? `${MARK}${expressions.length}_` : word)
    if (takes) expressions.push(word)
    at = end < 0 ? start : end
  }
}

/** Puts the expressions back: as words where they were operands, as text anywhere else. */
export function restoreRegexes(
  ast: ScriptNode,
  expressions: readonly string[],
  parse: (text: string) => ScriptNode,
): void {
  if (expressions.length > 0) restore(ast, expressions, parse)
}

function restore(value: object, expressions: readonly string[], parse: (text: string) => ScriptNode): void {
  for (const [key, inner] of Object.entries(value)) {
    if (typeof inner === 'string' && inner.includes(MARK))
      Reflect.set(
        value,
        key,
        inner.replace(MARKED, (_, index) => expressions[Number(index)] ?? ''),
      )
    else if (typeof inner === 'object' && inner !== null) {
      const index = key === 'right' ? markedIndex(inner) : undefined
      if (index !== undefined) Reflect.set(value, key, regexWord(expressions[index] ?? '', parse))
      else restore(inner, expressions, parse)
    }
  }
}

function markedIndex(word: object): number | undefined {
  const parts: unknown = Reflect.get(word, 'parts')
  const [part] = Array.isArray(parts) ? parts : []
  const value: unknown = part?.type === 'Literal' ? part.value : undefined
  const match = typeof value === 'string' ? new RegExp(`^${MARK}(\\d+)_$`).exec(value) : null
  return match === null ? undefined : Number(match[1])
}

/** Quotes and expansions are parsed as such; what is between them is the expression itself. */
function regexWord(expression: string, parse: (text: string) => ScriptNode): WordNode {
  const parts: WordPart[] = []
  const pieces = /\\.|'[^']*'|"(?:\\.|[^"\\])*"|\$\{[^}]*\}|\$\([^)]*\)|\$[A-Za-z_]\w*|\$[0-9]|[^\\'"$]+|\$/gs
  for (const [piece] of expression.matchAll(pieces)) {
    if (/^['"]|^\$./.test(piece)) parts.push(...parsedParts(piece, parse))
    else if (piece.startsWith('\\'))
      parts.push({ type: 'Literal', value: /\\[\w\s"']/.test(piece) ? piece.slice(1) : piece })
    else parts.push({ type: 'Literal', value: piece })
  }
  return { type: 'Word', parts }
}

function parsedParts(text: string, parse: (text: string) => ScriptNode): readonly WordPart[] {
  const command = parse(`: ${text}`).statements[0]?.pipelines[0]?.commands[0]
  return command?.type === 'SimpleCommand' ? (command.args[0]?.parts ?? []) : []
}
