/** Expressions of POSIX that mean the same in the engine: characters, sets, and repetitions of them. */
const SIGNS = String.raw`\w :=@%,;"'<>!#/`
const SET = String.raw`\[\^?(?:\w-\w|[${SIGNS}.*+?(){}|$]|\[:[a-z]+:\])*-?\]`
const ATOM = String.raw`(?:[${SIGNS}-]|\.|\\[.*[\]/"^$bBwWsS<>]|${SET})`
const AGAIN = String.raw`(?:[*+?]|\{\d+(?:,\d*)?\})?`
/** The first of what matches is there once at least. */
const BEGUN = new RegExp(String.raw`^\^?${ATOM}(?![*?{])`)
const BASIC = new RegExp(String.raw`^\^?(?:${ATOM}\*?)*\$?$`)
const EXTENDED = new RegExp(String.raw`^\^?(?:${ATOM}${AGAIN})*\$?$`)
const GROUPED = new RegExp(String.raw`^(?:\^|\$(?![^)|])|(?:${ATOM}|\\[(){}+?|]|\))${AGAIN}|[(|])+$`)

/** Whether an expression matches where it matches in POSIX. */
export function isPlain(expression: string, isExtended: boolean): boolean {
  return (
    isUngrouped(expression, isExtended) || (isExtended && GROUPED.test(expression) && isBalanced(expression))
  )
}

/** Whether an expression without groups matches the same text as in POSIX. */
export function isUngrouped(expression: string, isExtended: boolean): boolean {
  return (isExtended ? EXTENDED : BASIC).test(expression)
}

/** Whether such an expression matches no empty text. */
export function isBegun(expression: string): boolean {
  return BEGUN.test(expression)
}

function isBalanced(expression: string): boolean {
  let depth = 0
  for (const [sign] of expression.matchAll(/\\.|\[[^\]]*\]|[()]/g)) {
    if (sign === '(') depth++
    if (sign === ')' && --depth < 0) return false
  }
  return depth === 0
}
