import { quoted } from '../../quoting.ts'
import type { Rule } from '../work.ts'
import { expansionOf, ZERO } from './shell-variables.ts'

/** `$0` of a script that runs as its translation is its name; variables that bash sets have the values that they have here. */
export const zero: Rule<'SimpleExpansion'> = (node, work, place) => {
  const { script, options } = work
  const name = node.text.slice(1)
  const given = expansionOf(name, place, work)
  if (given !== undefined) script.replace(node, given)
  if (name !== '0') return
  if (options.isInner === true) script.replace(node, `$${ZERO}`)
  if (options.zero === undefined) return
  const isQuoted = place.outer?.node.type === 'DoubleQuoted' || place.outer?.node.type === 'HereDocBody'
  script.replace(node, isQuoted ? options.zero.replaceAll(/["$`\\]/g, '\\$&') : quoted(options.zero))
}
