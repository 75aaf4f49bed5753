import type { Command, Redirection } from 'unbash'
import { TRANSLATION_DIRECTORY } from '../directory.ts'
import { nameOf } from '../facts.ts'
import { isOutput } from '../outputs.ts'
import type { Place } from '../walk.ts'
import type { Rule } from '../work.ts'
import { isOfErrors } from './function-calls.ts'

/** The first argument of a program of the translation whose messages are part of what it prints. */
const ONE_STREAM = '__ssr_both'

const PROGRAM = new RegExp(`^(lua ${TRANSLATION_DIRECTORY}/bin/[\\w-]+)(?! ${ONE_STREAM})(?=\\s|$)`)

/** Programs of the engine whose messages are not those of bash, and which are the runtime's own, too. */
const TELLING: ReadonlySet<string> = new Set(['cat', 'cut', 'head', 'mkdir', 'rm', 'rmdir', 'tail'])

/**
 * The engine puts the messages of a program in lua behind all that it prints: under `2>&1` a program of the translation
 * prints them itself, where they belong.
 */
export const oneStream: Rule<'Command'> = (node, { script, facts, program }, place) => {
  if (node.name === undefined || script.compounded.has(node)) return
  const isBoth = isJoined(node.redirects.at(-1)) || isPiped(node, place)
  if (!isBoth && !node.redirects.some(isOfErrors)) return
  const name = nameOf(node) ?? ''
  const isSeen = !node.redirects.some((one) => one.type === 'Redirect' && one.target?.text === '/dev/null')
  const isOurs = TELLING.has(name) && !facts.functions.has(name) && script.text(node.name) === name && isSeen
  const text = isOurs ? program(name === 'cat' ? 'cat-visible' : name) : script.text(node.name)
  const called = isBoth ? joinedCall(text) : text
  if (called !== script.text(node.name)) script.replace(node.name, called)
}

/** The call of a program whose messages go where its output goes. */
export function joinedCall(text: string): string {
  return text.replace(PROGRAM, `$1 ${ONE_STREAM}`)
}

/** Whether what a command prints goes where that of the commands around it goes. */
export function isPrinting({ redirects }: Command): boolean {
  return !redirects.some(isOutput)
}

/** Whether a redirection, as the last one, leads messages to the output. */
export function isJoined(one: Redirection | undefined): boolean {
  if (one?.type !== 'Redirect' || !isOfErrors(one)) return false
  return one.operator.startsWith('&>') || (one.operator === '>&' && one.target?.text === '1')
}

/** Whether `|&` follows a command. */
function isPiped(node: Command, { outer }: Place): boolean {
  if (outer?.node.type !== 'Pipeline') return false
  return outer.node.operators[outer.node.commands.indexOf(node)] === '|&'
}
