import { quoted } from '../../quoting.ts'
import { refuse } from '../refusal.ts'
import { givenByBash } from '../shell-variables.ts'
import { around, type Place } from '../walk.ts'
import type { Work } from '../work.ts'

/** What `$0` is, where that has to be a variable. */
export const ZERO = '__ssr_zero'

/** What separates words where `IFS` is not set; the engine leaves that empty, too. */
const SEPARATORS = '__ssr_separated'

/** What stands for the expansion of a variable that bash sets; undefined where it is one of the script. */
export function expansionOf(name: string, place: Place, { hoist, options }: Work): string | undefined {
  if (name === '_') refuse('$_', 'write the word again')
  if (name === 'FUNCNAME') {
    const owner = around(place, 'Function')
    if (owner?.type === 'Function') return owner.name.text
  }
  if (name === 'BASH_SOURCE' && options.zero !== undefined) {
    hoist(`${ZERO}=${quoted(options.zero)}`)
    return `\${${ZERO}}`
  }
  if (name === 'IFS') {
    hoist(`${SEPARATORS}=${quoted(' \t\n')}`)
    return `\${IFS-$${SEPARATORS}}`
  }
  if (
    name === 'SHLVL' &&
    (options.isInner === true || (options.zero !== undefined && options.isSourced !== true))
  )
    refuse('$SHLVL in a script or bash -c', 'pass it as an argument')
  const value = givenByBash(name)
  return value === undefined ? undefined : `\${${name}-${value}}`
}
