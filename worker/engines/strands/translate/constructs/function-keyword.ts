import type { Rule } from '../work.ts'

/** `function f {` and `function f() {` are written `f() {`. */
export const functionKeyword: Rule<'Function'> = ({ pos, name, body }, { script }) => {
  if (!script.source.startsWith('function', pos) || name.pos === pos) return
  script.replace({ pos, end: body.pos }, `${name.text}() `)
}
