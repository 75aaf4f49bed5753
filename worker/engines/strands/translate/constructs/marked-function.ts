import { markOf, UNDEFINED } from '../definitions.ts'
import type { Rule } from '../work.ts'

/** The engine lists no functions: a variable says which text has defined one. It is none while the function is defined. */
export const markedFunction: Rule<'Function'> = ({ pos, end, name }, { script, define }) => {
  const mark = markOf(name.text)
  const id = define(name.text)
  script.insert(pos, `{ ${mark}=${UNDEFINED}${id}; `)
  script.insert(end, `; ${mark}=${id}; }`)
}
