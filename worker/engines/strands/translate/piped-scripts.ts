import type { Command, ParsedScript, Pipeline } from 'unbash'
import { PIPED } from './directory.ts'
import { endOf } from './end-of.ts'
import { nameOf } from './facts.ts'
import { isShell } from './program-paths.ts'
import { wordsOfShell } from './runs.ts'
import type { Script } from './script.ts'

/** `A | sh` in a text. */
export const MAY_BE_PIPED: RegExp = /\|\s*(?:\/(?:usr\/)?bin\/)?(?:ba|da)?sh(?![\w./-])/

/** Writes `A | sh` of a whole statement as `A > FILE && sh FILE`: the script is read before it runs. */
export function writePiped(tree: ParsedScript, script: Script): void {
  let count = script.source.split(PIPED).length
  for (const { command, background } of tree.commands) {
    if (background === true) continue
    const elements = command.type === 'AndOr' ? command.commands : [command]
    const operators = command.type === 'AndOr' ? command.operators : []
    for (const [index, element] of elements.entries())
      if (element.type === 'Pipeline' && operators[index - 1] !== '||')
        writeStage(element, `${PIPED}${count++}`, script)
  }
}

function writeStage({ commands, operators, prefixes, pos }: Pipeline, file: string, script: Script): void {
  const at = commands.findIndex((one) => one.type === 'Command' && isShell(nameOf(one)))
  const [writer, shell] = [commands[at - 1], commands[at]]
  if (shell?.type !== 'Command' || writer === undefined || !writesPlainly(writer)) return
  if (operators[at - 1] !== '|' || prefixes.length > 0) return
  const place = placeOfFile(shell)
  if (place === undefined) return
  script.insert(pos, '{ ')
  script.replace(
    { pos: writer.type === 'Command' ? endOf(writer) : writer.end, end: shell.pos },
    ` > ${file} || :; } && `,
  )
  script.replace(place, ` ${file}`)
}

/** Whether what a command prints goes to the next one. */
function writesPlainly(node: Pipeline['commands'][number]): boolean {
  return node.type === 'Command'
    ? node.redirects.every(({ type }) => type === 'HereDoc')
    : node.type !== 'Redirected'
}

/** Where the name of the script stands behind the options of a shell that reads it from its input. */
function placeOfFile(shell: Command) {
  const words = shell.args.filter((arg) => arg.type === 'Word')
  const found = shell.name === undefined ? undefined : wordsOfShell(nameOf(shell) ?? '', words)
  const isFed = shell.redirects.some((one) => one.type !== 'Redirect' || one.operator.startsWith('<'))
  if (shell.name === undefined || found === undefined || found.isText || isFed || shell.prefix.length > 0)
    return undefined
  const options = words.slice(0, words.length - found.others.length)
  const end = (options.at(-1) ?? shell.name).end
  if (!found.isInput) return found.others.length === 0 ? { pos: end, end } : undefined
  const [first, second] = options.map(({ text }) => text)
  const isPlain = first === '-s' && (options.length === 1 || (options.length === 2 && second === '--'))
  return isPlain ? { pos: shell.name.end, end } : undefined
}
