import type { Rule } from '../work.ts'

/** `function f {` and `function f() {` are written `f() {`, and `f() (…)` is `f() { (…); }`. */
export const functionKeyword: Rule<'Function'> = ({ pos, name, body }, { script }) => {
  if (body.type === 'Subshell') script.replace(body, `{ ${script.text(body)}; }`)
  if (!script.source.startsWith('function', pos) || name.pos === pos) return
  script.replace({ pos, end: body.pos }, `${name.text}() `)
}
