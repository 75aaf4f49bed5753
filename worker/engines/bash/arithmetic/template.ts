/** An expression whose expansions are taken out, to be expanded as words. */
export interface Template {
  readonly text: string
  /** Shell text of each slot, in order: `${#x}`, `$(date +%s)`, `${a[i]}`. */
  readonly words: readonly string[]
}

const slot = (index: number) => `\ue000${index}\ue001`
const expansion = (index: number) => `\ue002${index}\ue003`

/** A template whose expansions are the text that they expand to, as in `10#$n`. An element is a value, and stays a slot. */
export const expanded = (template: string, words: readonly string[]): string =>
  template.replaceAll(/\ue002(\d+)\ue003/g, (_, index) => words[Number(index)] ?? '')

const ASSIGNED = /^(=(?!=)|\+\+|--|(<<|>>|[-+*/%&|^])=)/

/** The end of what opens at `from`, quotes and nesting counted. */
export function closing(text: string, from: number): number {
  const pairs: Readonly<Record<string, string>> = { '(': ')', '{': '}', '[': ']' }
  const open: string[] = []
  for (let at = from; at < text.length; at += 1) {
    const character = text[at] ?? ''
    if (character === '\\') at += 1
    else if (character === "'") at = text.indexOf("'", at + 1) < 0 ? text.length : text.indexOf("'", at + 1)
    else if (pairs[character] !== undefined) open.push(pairs[character])
    else if (character === open.at(-1)) {
      open.pop()
      if (open.length === 0) return at + 1
    }
  }
  return -1
}

/** Takes the expansions and array elements out of an expression; undefined where it cannot be told. */
export function templateOf(expression: string): Template | undefined {
  const words: string[] = []
  let text = ''
  let at = 0
  const take = (end: number, word: string, placed = expansion) => {
    text += placed(words.length)
    words.push(word)
    at = end
  }
  while (at < expression.length) {
    const rest = expression.slice(at)
    const name = /^[A-Za-z_]\w*/.exec(rest)?.[0]
    if (name !== undefined && rest[name.length] === '[') {
      const end = closing(expression, at + name.length)
      const after = end < 0 ? '' : expression.slice(end).trimStart()
      // An element that is assigned is left to just-bash.
      if (end < 0 || /(?:\+\+|--)\s*$/.test(text) || ASSIGNED.test(after)) return undefined
      take(end, `\${${expression.slice(at, end)}}`, slot)
    } else if (/^\$[({]/.test(rest)) {
      const end = closing(expression, at + 1)
      if (end < 0) return undefined
      take(end, expression.slice(at, end))
    } else if (/^\$(\w+|[@*#?$!-])/.test(rest)) {
      const word = /^\$([A-Za-z_]\w*|\d|[@*#?$!-])/.exec(rest)?.[0] ?? '$'
      take(at + word.length, word)
    } else if (rest[0] === '`') return undefined
    else if (rest[0] === '"') at += 1
    else {
      const piece = name ?? /^\d[0-9A-Za-z@_#]*/.exec(rest)?.[0] ?? rest[0] ?? ''
      text += piece
      at += piece.length
    }
  }
  return { text, words }
}
