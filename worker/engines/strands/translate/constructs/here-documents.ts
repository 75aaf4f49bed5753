import type { HereDoc, HereDocBody } from 'unbash'
import { isOutput } from '../outputs.ts'
import { isShell } from '../program-paths.ts'
import { refuse } from '../refusal.ts'
import type { Script } from '../script.ts'
import type { Place } from '../walk.ts'
import { literalOf, oneWord } from '../words.ts'
import type { Rule, Work } from '../work.ts'
import { before } from './before.ts'
import { isLate } from './file-output.ts'
import { hasPattern } from './pathnames.ts'

/**
 * A here-document of a plain command at top level, without patterns of names, is the engine's own. Elsewhere its body is in
 * a file: one that is there before the script where it has no expansions, or else one that is written just before the
 * command.
 */
export const hereDocument: Rule<'HereDoc'> = (node, work, place) => {
  if (node.delimiter === undefined) return
  if (isOwn(place, work) && work.options.inParts !== true && !isGrouped(place, work)) return
  if (node.closing === undefined)
    refuse('a here-document without its last line', `end it with ${node.delimiter.text} on a line of its own`)
  const { script } = work
  const expanded = node.delimiter.quoted ? '' : expandedBody(node, script)
  removeBody(node, script)
  const descriptor = node.descriptor === undefined ? '' : script.text(node.descriptor)
  if (node.delimiter.quoted || !/[$`\\]/.test(node.body.text)) {
    script.replace(startOf(node), `${descriptor}< ${work.file(plainBody(node))}`)
    return
  }
  const path = work.scratch()
  script.replace(startOf(node), `${descriptor}< ${path}`)
  before(place, work, `printf '%s' "${expanded}" > ${path}`)
}

/** `<<< word` is a file that is written just before the command. */
export const hereString: Rule<'HereString'> = (node, work, place) => {
  if (node.target === undefined) return
  const { script } = work
  const descriptor = node.descriptor === undefined ? '' : script.text(node.descriptor)
  const path = work.scratch()
  const text = oneWord(node.target, script)
  script.replace(node, `${descriptor}< ${path}`)
  before(place, work, `printf '%s\\n' ${text} > ${path}`)
}

/** The operator and its delimiter; the body stands elsewhere. */
function startOf({ pos, delimiter }: HereDoc): { pos: number; end: number } {
  return { pos, end: delimiter?.end ?? pos }
}

function removeBody({ body, closing }: HereDoc, script: Script): void {
  if (closing === undefined) return
  const end = script.source[closing.end] === '\n' ? closing.end + 1 : closing.end
  script.replace({ pos: body.pos, end }, '')
}

/** Whether its command becomes a group or a script, where the engine takes no here-document. */
function isGrouped({ outer }: Place, { inputs, input, facts }: Work): boolean {
  if (outer === undefined || inputs.shared(outer, input)) return outer !== undefined
  const name = outer.node.type === 'Command' ? literalOf(outer.node.name) : undefined
  return name !== undefined && (name === 'read' || isShell(name) || facts.functions.has(name))
}

function isOwn(place: Place, work: Work): boolean {
  const [command, statement, script] = [place.outer, place.outer?.outer, place.outer?.outer?.outer]
  return (
    command?.node.type === 'Command' &&
    !hasPattern(command.node, work) &&
    !(isLate(command.node) && command.node.redirects.some(isOutput)) &&
    statement?.node.type === 'Statement' &&
    script?.node.type === 'Script' &&
    script.outer === undefined
  )
}

function plainBody({ operator, body }: HereDoc): string {
  return operator === '<<-' ? body.text.replaceAll(/^\t+/gm, '') : body.text
}

/** A body as the inside of double quotes. */
function expandedBody({ operator, body }: HereDoc, script: Script): string {
  const parts: HereDocBody['parts'] = body.parts
  const texts: string[] = []
  let at = body.pos
  const literal = (end: number) => texts.push(literalText(script.source.slice(at, end), operator === '<<-'))
  for (const part of parts ?? []) {
    if (part.type === 'Literal') continue
    literal(part.pos)
    texts.push(script.text(part))
    at = part.end
  }
  literal(body.end)
  return texts.join('')
}

function literalText(text: string, tabs: boolean): string {
  const stripped = tabs ? text.replaceAll(/(^|\n)\t+/g, '$1') : text
  return stripped.replaceAll(/\\([\s\S])|"/g, (found, next: string | undefined) => {
    if (next === undefined) return '\\"'
    if (next === '\n') return ''
    if (next === '"') return '\\\\\\"'
    return '$`\\'.includes(next) ? found : `\\\\${next}`
  })
}
