const ADDRESS = /(?:\d+|\$|\/(?:[^\\/\n]|\\[^\n])*\/)/
const SUBSTITUTION = /s([/|#,@:])(?:(?!\1)[^\\\n]|\\[^\n])*\1(?:(?!\1)[^\\\n]|\\[^\n])*\1[gpiI\d]*/
const COMMAND = new RegExp(
  `[ \\t;\\n]*(?:${ADDRESS.source}(?:,${ADDRESS.source})?[ \\t]*!?[ \\t]*)?(?:[pdq=]|${SUBSTITUTION.source})[ \\t]*(?=[;\\n]|$)`,
  'y',
)
const BLANK = /^[ \t;\n]*$/

/** Whether a script of `sed` only prints, deletes and substitutes lines; others may write files. */
export function onlyPrints(script: string): boolean {
  let at = 0
  while (!BLANK.test(script.slice(at))) {
    COMMAND.lastIndex = at
    if (!COMMAND.test(script)) return false
    at = COMMAND.lastIndex
  }
  return true
}
