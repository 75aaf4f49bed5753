import type { Command } from 'unbash'
import { isOfErrors } from '../constructs/function-calls.ts'
import { isOutput } from '../outputs.ts'
import { literalOf, oneWord } from '../words.ts'
import type { Work } from '../work.ts'

/**
 * Where the messages of a builtin go, as the first two words of its helper: the engine prints them past a redirection.
 * Undefined where that is not known.
 */
export function messagesOf({ redirects }: Command, { script }: Work): string | undefined {
  const errors = redirects.filter(isOfErrors)
  const others = redirects.filter((one) => !errors.includes(one))
  if (others.some((one) => !isOutput(one) || one.type !== 'Redirect' || !isNull(one.target))) return undefined
  const [one, ...more] = errors
  if (one === undefined) return "e ''"
  if (one.type !== 'Redirect' || one.target === undefined || more.length > 0) return undefined
  if (isNull(one.target)) return "n ''"
  if (one.operator === '>&') {
    if (literalOf(one.target) !== '1') return undefined
    return others.length > 0 ? "n ''" : "o ''"
  }
  if (one.operator !== '>' && one.operator !== '>>') return undefined
  return `${one.operator === '>' ? 'w' : 'a'} ${oneWord(one.target, script)}`
}

function isNull(target: Parameters<typeof literalOf>[0]): boolean {
  return literalOf(target) === '/dev/null'
}
