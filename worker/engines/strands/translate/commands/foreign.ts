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

/** `declare` of plain variables needs no `declare`; of arrays and the like it is refused. */
export const declaration: CommandRule = ({ node, nameWord, literals, name }, { script }, place) => {
  const flags = literals.filter((literal) => literal?.startsWith('-') === true)
  if (flags.length > 0) refuse(`${name} ${flags.join(' ')}`, 'use plain variables')
  if (node.args.length === 0 || node.args.some(({ type }) => type !== 'Assignment'))
    refuse(name, 'use plain variables')
  const isLocal = place !== undefined && around(place, 'Function') !== undefined
  script.replace(nameWord, isLocal ? 'local' : 'export')
}
