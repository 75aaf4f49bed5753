/** The index behind what is quoted or nested at `at`: the same one where nothing is, and the end of the text where it has no end. */
export function behind(text: string, at: number): number {
  const character = text[at] ?? ''
  if (character === '\\') return Math.min(at + 2, text.length)
  if (character === '"') return match(/"(?:\\.|[^"\\])*"/sy, text, at)
  if (character === '`') return match(/`(?:\\.|[^`\\])*`/sy, text, at)
  if (character === "'") return match(text[at - 1] === '$' ? /'(?:\\.|[^'\\])*'/sy : /'[^']*'/y, text, at)
  if (character !== '$' || !/[({]/.test(text[at + 1] ?? '')) return at
  const close = text[at + 1] === '(' ? ')' : '}'
  let inner = at + 2
  while (inner < text.length && text[inner] !== close) {
    const plain = close === ')' && text[inner] === '(' ? nested(text, inner) : inner
    inner = Math.max(plain, behind(text, inner), inner + 1)
  }
  return Math.min(inner + 1, text.length)
}

/** The index behind a parenthesis and what is in it. */
function nested(text: string, at: number): number {
  let inner = at + 1
  while (inner < text.length && text[inner] !== ')')
    inner = Math.max(text[inner] === '(' ? nested(text, inner) : inner, behind(text, inner), inner + 1)
  return Math.min(inner + 1, text.length)
}

function match(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.exec(text) === null ? text.length : pattern.lastIndex
}

/** The text from `{` to its `}` where a word expands it, with quotes and nesting counted; null where it does not. */
export function bracesAt(text: string, at: number): string | null {
  let depth = 0
  let expands = false
  for (let index = at; index < text.length; ) {
    const next = behind(text, index)
    if (next > index) {
      index = next
      continue
    }
    const character = text[index] ?? ''
    if (/[ \t\n;&|<>()]/.test(character)) return null
    if (character === '{') depth += 1
    if (character === '}') depth -= 1
    if (depth === 0) return expands ? text.slice(at, index + 1) : null
    if ((character === ',' && depth === 1) || text.startsWith('..', index)) expands = true
    index += 1
  }
  return null
}

/** The index of what closes the brace that opens at `at`, with quotes and nesting counted; -1 where nothing does. */
export function closingBrace(text: string, at: number): number {
  let depth = 0
  for (let index = at; index < text.length; ) {
    const next = behind(text, index)
    if (next === index && text[index] === '{') depth += 1
    if (next === index && text[index] === '}') depth -= 1
    if (depth === 0) return index
    index = Math.max(next, index + 1)
  }
  return -1
}

/** The alternatives of what stands between braces. */
export function alternatives(text: string): string[] {
  const found: string[] = []
  let depth = 0
  let from = 0
  for (let index = 0; index < text.length; ) {
    const next = behind(text, index)
    if (next > index) {
      index = next
      continue
    }
    if (text[index] === '{') depth += 1
    if (text[index] === '}') depth -= 1
    if (text[index] === ',' && depth === 0) {
      found.push(text.slice(from, index))
      from = index + 1
    }
    index += 1
  }
  return [...found, text.slice(from)]
}
