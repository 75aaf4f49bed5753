import { ARCHIVERS, readsArchive } from '../archive-input.ts'
import { isInput } from '../input.ts'
import { isOutput } from '../outputs.ts'
import { isStage, type Place } from '../walk.ts'
import { oneWord } from '../words.ts'
import type { Work } from '../work.ts'
import { type CommandRule, type Named, named } from './command.ts'

/**
 * Programs of archives. Lua reads no input that is not UTF-8: it gets the name of the file, or that of a copy which `tee` writes.
 * Where an output goes on as text only, the program is told.
 */
export const archives: CommandRule = (command, work, place) => {
  const { nameWord, node, name } = command
  const words = [work.program(name)]
  if (place === undefined || !takesBytes(command, place)) words.push('__ssr_text')
  let before = ''
  if (place !== undefined && readsArchive(name, command.literals)) {
    const input = node.redirects.findLast(isInput)
    if (input?.type === 'Redirect' && input.operator === '<' && input.target !== undefined) {
      words.push(`__ssr_file ${oneWord(input.target, work.script)}`)
      work.script.replace(input, '')
    } else if (isFed(command, place, work)) {
      const copy = work.scratch()
      before = `'tee' ${copy} | 'wc' -c | `
      words.push(`__ssr_stored ${copy}`)
    }
  }
  work.script.replace(nameWord, before + words.join(' '))
}

/** `base64 -d` of bytes. */
export const base64: CommandRule = (command, work, place) => {
  const isBytes = place !== undefined && takesBytes(command, place)
  work.script.replace(command.nameWord, `${work.program('base64')}${isBytes ? '' : ' __ssr_text'}`)
}

/** Whether a command reads what another one of its pipeline prints. */
function isFed({ node, nameWord }: Named, place: Place, { script }: Work): boolean {
  if (place.outer?.node.type !== 'Pipeline' || node.redirects.some(isInput)) return false
  return place.outer.node.commands.indexOf(node) > 0 && script.text(node).startsWith(nameWord.text)
}

/** Whether what a command prints goes on byte for byte: to a file, or to a program that reads it so. */
export function takesBytes({ node }: Named, place: Place): boolean {
  const output = node.redirects.findLast(isOutput)
  if (output !== undefined)
    return output.type === 'Redirect' && output.target?.text.startsWith('/dev/std') !== true
  if (!isStage(place) || place.outer?.node.type !== 'Pipeline') return false
  const { commands, operators } = place.outer.node
  const at = commands.indexOf(node)
  const next = commands[at + 1]
  if (next?.type !== 'Command' || operators[at] === '|&') return false
  const reader = named(next)
  if (reader === undefined || next.redirects.some(isInput)) return false
  if (ARCHIVERS.has(reader.name)) return readsArchive(reader.name, reader.literals)
  return reader.name === 'cat' && reader.words.length === 0 && next.redirects.some(isOutput)
}
