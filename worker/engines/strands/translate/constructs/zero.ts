import { quoted } from '../../quoting.ts'
import { refuse } from '../refusal.ts'
import type { Rule } from '../work.ts'

const FOREIGN: ReadonlySet<string> = new Set([
  'RANDOM',
  'SECONDS',
  'LINENO',
  'FUNCNAME',
  'PIPESTATUS',
  'BASH_REMATCH',
  'BASH_VERSION',
  'EPOCHSECONDS',
])

/** Whether only bash sets a variable. */
export function isFromBash(name: string): boolean {
  return FOREIGN.has(name)
}

/** What `$0` is, where that has to be a variable. */
export const ZERO = '__ssr_zero'

/** `$0` of a script that runs as its translation is its name; variables that only bash sets are refused. */
export const zero: Rule<'SimpleExpansion'> = (node, { script, options }, place) => {
  const name = node.text.slice(1)
  if (FOREIGN.has(name)) refuse(`$${name}`, 'compute it with lua')
  if (name !== '0') return
  if (options.isInner === true) script.replace(node, `$${ZERO}`)
  if (options.zero === undefined) return
  const isQuoted = place.outer?.node.type === 'DoubleQuoted' || place.outer?.node.type === 'HereDocBody'
  script.replace(node, isQuoted ? options.zero.replaceAll(/["$`\\]/g, '\\$&') : quoted(options.zero))
}
