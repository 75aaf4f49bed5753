import type { SyntaxNode } from 'unbash'
import { type Facts, setsErrexit, setsNounset } from '../facts.ts'
import { refuse } from '../refusal.ts'
import type { SessionFacts } from '../translation.ts'
import { type Place, some } from '../walk.ts'
import type { Work } from '../work.ts'
import type { CommandRule, Named } from './command.ts'

/** Options that the engine has as letters only. */
const LETTERS: ReadonlyMap<string, string> = new Map([
  ['allexport', ''],
  ['errexit', 'e'],
  ['nounset', 'u'],
  ['xtrace', 'x'],
])

/**
 * `set -o pipefail` is a variable that pipelines look at; other options that come by name are given by letter. Every variable is one of
 * the environment, as under `-a`.
 */
export const set: CommandRule = ({ node, nameWord, words, literals }, { script, session, facts }, place) => {
  if (place !== undefined && setsErrexit(node) && isAsked(place)) refuseAsked()
  if (setsNounset(node)) refuseUnchecked(session, facts)
  const kept: string[] = []
  let pipefail: boolean | undefined
  let isNamed = false
  let at = 0
  for (; at < words.length; at++) {
    const literal = literals[at]
    if (literal === undefined || !/^[-+][A-Za-z]+$/.test(literal)) break
    const [lacking] = /[CTfknt]/.exec(literal) ?? []
    if (lacking !== undefined) refuse(`set ${literal.charAt(0)}${lacking}`, 'use -e, -u and -o pipefail')
    const takesName = literal.includes('o')
    let letters = literal.slice(1).replace(/[aoE]/g, '')
    if (takesName) {
      const name = literals[++at]
      const letter = name === 'pipefail' ? '' : LETTERS.get(name ?? '')
      if (letter === undefined)
        return refuse(`set ${literal} ${name ?? ''}`.trimEnd(), 'use -e, -u and -o pipefail')
      if (name === 'pipefail') pipefail = literal.startsWith('-')
      isNamed = true
      letters += letter
    }
    if (letters !== '') kept.push(literal.charAt(0) + letters)
  }
  if (!isNamed && !literals.slice(0, at).some((literal) => /[aE]/.test(literal ?? ''))) return
  if (pipefail === true && !session.pipefail) {
    const earlier = [...session.functions].filter(([name, { isPiped }]) => isPiped && !facts.bodies.has(name))
    if (earlier.length > 0)
      refuse(
        `set -o pipefail after the definition of ${earlier.map(([name]) => name).join(' ')}`,
        'define functions with pipelines after it',
      )
  }
  const rest = words.slice(at).map((word) => script.text(word))
  // The engine takes no options before `--`.
  const steps = [
    ...(pipefail === undefined ? [] : [`__ssr_pipefail=${pipefail ? '1' : ''}`]),
    ...(kept.length > 0 ? [`${script.text(nameWord)} ${kept.join(' ')}`] : []),
    ...(rest.length > 0 ? [`${script.text(nameWord)} ${rest.join(' ')}`] : []),
  ]
  if (steps.length > 1) script.compounded.add(node)
  script.replace(node, steps.length > 1 ? `{ ${steps.join('; ')}; }` : (steps[0] ?? ':'))
}

/** Refuses the call of a function that sets `-e` where its status is asked for. */
export function refuseCall({ name }: Named, { facts }: Work, place: Place): void {
  const body = facts.bodies.get(name)
  const sets =
    body === undefined ? facts.known.get(name)?.setsErrexit : some(body, ({ node }) => setsErrexit(node))
  if (sets === true && isAsked(place)) refuseAsked()
}

function refuseAsked(): never {
  return refuse('set -e in what &&, ||, if, while or ! ask', 'use && between the commands')
}

/** Whether a list, a condition or `!` asks for the status of a command around a place: bash ends nothing there. */
function isAsked(place: Place): boolean {
  const isSet = (node: SyntaxNode) => node === place.node && setsErrexit(node)
  let inner = place.node
  for (let at = place.outer; at !== undefined; at = at.outer) {
    const { node } = at
    if (node.type === 'Function') return false
    if (node.type === 'AndOr' && node.commands.at(-1) !== inner && !isSet(inner)) return true
    if ((node.type === 'If' || node.type === 'Elif' || node.type === 'While') && node.clause === inner)
      return true
    if (node.type === 'Pipeline' && node.prefixes.some(({ type }) => type === 'Negation')) return true
    inner = node
  }
  return false
}

/** Functions look at their variables where they were defined under `set -u`. */
function refuseUnchecked(session: SessionFacts, facts: Facts): void {
  const earlier = [...session.functions].filter(
    ([name, { isUnchecked }]) => isUnchecked && !facts.bodies.has(name),
  )
  if (earlier.length > 0)
    refuse(
      `set -u after the definition of ${earlier.map(([name]) => name).join(' ')}`,
      'define functions with variables after it',
    )
}
