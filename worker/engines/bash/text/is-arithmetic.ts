/**
 * Whether the `((` that ends at an index begins an expression, as bash decides it: where the parenthesis that closes the inner one
 * stands right before another. Otherwise it begins a subshell in a subshell.
 */
export function isArithmetic(script: string, at: number): boolean {
  return arithmeticEnd(script, at) >= 0
}

/** The index of the parenthesis that closes the inner one of `((`, where another stands right behind it; -1 where none does. */
export function arithmeticEnd(script: string, at: number): number {
  const tokens = /\\.|'[^']*'|"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`|[()]/gs
  tokens.lastIndex = at
  let depth = 1
  for (let token = tokens.exec(script); token !== null; token = tokens.exec(script)) {
    if (token[0] === '(') depth += 1
    else if (token[0] === ')') depth -= 1
    if (depth === 0) return script[tokens.lastIndex] === ')' ? tokens.lastIndex - 1 : -1
  }
  return -1
}
