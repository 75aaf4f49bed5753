import type { Command } from 'unbash'
import { named } from '../commands/command.ts'
import { nameOf } from '../facts.ts'
import { isInput } from '../input.ts'
import { isStage, type Place } from '../walk.ts'
import { literalOf } from '../words.ts'
import type { Rule } from '../work.ts'

/** Programs whose output ends with a line break. */
const ENDING: ReadonlySet<string> = new Set(
  'basename cut date dirname egrep env fgrep find grep id ls nl paste pwd rev seq sort uniq wc which whoami xargs'.split(
    ' ',
  ),
)

/** `sed` of the engine ends the last line with a line break: where the input may have none, a program of ours reads it. */
export const endedInput: Rule<'Command'> = (node, { script, program, facts }, place) => {
  const command = named(node)
  if (command?.name !== 'sed' || facts.functions.has('sed') || script.text(command.nameWord) !== 'sed') return
  const first = command.literals.findIndex((literal) => literal?.startsWith('-') !== true)
  const hasFiles = command.words.length > first + 1
  const isSure = hasFiles ? !isPassedOn(node, place) : isEnded(node, place, facts.functions)
  if (!isSure) script.replace(command.nameWord, program('sed'))
}

/** Whether another stage of a pipeline reads the output: there is no place for a choice. */
function isPassedOn(node: Command, place: Place): boolean {
  return isStage(place) && place.outer?.node.type === 'Pipeline' && place.outer.node.commands.at(-1) !== node
}

/** Whether the input of a command ends with a line break. */
function isEnded(node: Command, place: Place, functions: ReadonlySet<string>): boolean {
  const input = node.redirects.findLast(isInput)
  if (input !== undefined) return input.type === 'HereDoc' || input.type === 'HereString'
  if (!isStage(place) || place.outer?.node.type !== 'Pipeline') return false
  const { commands } = place.outer.node
  const before = commands[commands.indexOf(node) - 1]
  if (before?.type !== 'Command') return false
  const name = nameOf(before) ?? ''
  if (functions.has(name)) return false
  const [word] = before.args.map((arg) => (arg.type === 'Word' ? arg : undefined))
  const literal = literalOf(word)
  if (name === 'echo')
    return (
      word !== undefined && !/^["']?[-$]/.test(word.text) && !before.args.some(({ text }) => /\\/.test(text))
    )
  if (name === 'printf') return literal !== undefined && /\\n$/.test(literal)
  return ENDING.has(name)
}
