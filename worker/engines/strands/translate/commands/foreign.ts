import { refuse } from '../refusal.ts'
import { around } from '../walk.ts'
import type { CommandRule } from './command.ts'

/** Builtins of bash that have no translation. */
export const foreign: CommandRule = ({ name }) => refuse(name, REMEDIES[name])

const REMEDIES: Readonly<Record<string, string>> = {
  let: 'use x=$((…))',
  mapfile: 'use a loop: while read -r line; do …; done < FILE',
  readarray: 'use a loop: while read -r line; do …; done < FILE',
}

/** `declare` of plain variables needs no `declare`, and all are exported here; of arrays and the like it is refused. */
export const declaration: CommandRule = ({ node, nameWord, words, literals, name }, { script }, place) => {
  const isExport = literals[0] === '-x'
  const flags = literals.filter((literal) => literal?.startsWith('-') === true)
  if (flags.length > (isExport ? 1 : 0)) refuse(`${name} ${flags.join(' ')}`, 'use plain variables')
  const values = node.args.filter((one) => !isExport || one !== words[0])
  if (values.length === 0 || values.some(({ type }) => type !== 'Assignment'))
    refuse(name, 'use plain variables')
  const isLocal = place !== undefined && around(place, 'Function') !== undefined
  script.replace(nameWord, isLocal ? 'local' : 'export')
  if (isExport && words[0] !== undefined) script.replace(words[0], '')
}

/** `export` and `readonly` that list print nothing in the engine, which exports no functions either. */
export const listing: CommandRule = ({ node, literals, name }) => {
  const option = literals.find((literal) => /^-\w*[pf]/.test(literal ?? '')) ?? ''
  if (node.args.length === 0 || option !== '')
    refuse(`${name} ${option}`.trimEnd(), 'use env, or the variables by name')
}

/** `unset f` of a function that no variable hides. */
export const unsetting: CommandRule = ({ words, literals, name }, { facts }) => {
  if (literals[0]?.startsWith('-') === true) return
  const found = words.find(({ text }) => facts.functions.has(text))
  if (found !== undefined) refuse(`${name} of the function ${found.text}`, `use unset -f ${found.text}`)
}
