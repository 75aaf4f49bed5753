import type { Command, Word } from 'unbash'
import { functionText } from '../function-text.ts'
import { isOutput } from '../outputs.ts'
import { isStage } from '../walk.ts'
import { literalOf } from '../words.ts'
import type { Rule, Work } from '../work.ts'
import { fileRead } from './fed-programs.ts'
import { ACTS, isStatement } from './missing-files.ts'

/**
 * What `cat` prints goes on as text where neither a file nor a program takes it: of bytes that are no UTF-8 the engine leaves nothing, with
 * status 0. They are refused.
 */
export const shownBytes: Rule<'Command'> = (node, work, place) => {
  const { script, outputs } = work
  if (isStage(place) || outputs.has(node) || node.redirects.some(isOutput) || node.prefix.length > 0) return
  if (script.compounded.has(node)) return
  const files = filesOf(node, work)
  if (files.length === 0 || files.some((word) => ACTS.test(word.text))) return
  const names = files.map((word) => script.text(word)).join(' ')
  const choice = `if __ssr_text ${names}; then ${script.text(node)}; else __ssr_status 2; fi`
  if (isStatement(place)) {
    script.replace(node, choice)
    return
  }
  const name = `__ssr_shown_${work.mark}_${work.next()}`
  work.hoist(functionText(name, [choice]))
  script.replace(node, `${name} "$@"`)
}

/** The files that `cat` of the engine reads. */
function filesOf(node: Command, { script, facts }: Work): readonly Word[] {
  if (literalOf(node.name) !== 'cat' || facts.functions.has('cat')) return []
  if (script.text(node).startsWith('lua ')) return []
  const words = node.args.filter((arg) => arg.type === 'Word')
  if (words.length > 0) return words.filter((word) => literalOf(word)?.startsWith('-') !== true)
  const input = fileRead(node)
  return input === undefined ? [] : [input]
}
