import { refuse } from '../refusal.ts'
import type { CommandRule } from './command.ts'
import { messagesOf } from './own-messages.ts'

/** The messages of `cd` of the engine go past every redirection. */
export const cd: CommandRule = ({ node, words, literals }, work) => {
  const { script } = work
  const [word, ...others] = words
  if (node.redirects.length === 0 || word === undefined) return
  if (others.length > 0 || /^-./.test(literals[0] ?? '')) return
  const to = messagesOf(node, work)
  if (to === undefined) refuse('this redirection of cd', 'use cd DIRECTORY 2> FILE')
  // Where only what it prints is redirected, the engine is right.
  if (to.startsWith('e')) return
  script.replace(node, `__ssr_cd ${to} ${script.text(word)}`)
}
