import type { Rule } from '../work.ts'

/** `function f {` and `function f() {` are written `f() {`; `f() (…)` is `f() { (…); }`, and `f() {…} > FILE` is `f() { {…} > FILE; }`. */
export const functionKeyword: Rule<'Function'> = ({ pos, name, body }, { script }) => {
  if (body.type === 'Subshell' || body.type === 'Redirected')
    script.replace(body, `{ ${script.text(body)}; }`)
  if (!script.source.startsWith('function', pos) || name.pos === pos) return
  script.replace({ pos, end: body.pos }, `${name.text}() `)
}
