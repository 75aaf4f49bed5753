import type { SyntaxNode } from 'unbash'
import { type FunctionFacts, setsErrexit } from './facts.ts'
import { stateOf } from './state.ts'
import type { SessionFacts, Translated } from './translation.ts'
import { mayBeUnset } from './unset.ts'
import { some } from './walk.ts'
import type { Work } from './work.ts'

/** What is known of a new session. */
export const NEW_SESSION: SessionFacts = {
  functions: new Map(),
  pipefail: false,
  nounset: false,
  readonly: new Set(),
}

/** What a shell with these options begins with. */
export function sessionOfOptions(options: readonly string[]): SessionFacts {
  return {
    functions: new Map(),
    pipefail: options.includes('-o pipefail'),
    nounset: options.includes('-u') || options.includes('-o nounset'),
    readonly: new Set(),
  }
}

/**
 * What the session has after a script, the same object where that is nothing new.
 *
 * @param readonly - variables that it may make readonly
 */
export function sessionAfter(
  { session, facts, inputs, pipefail }: Work,
  sourced: readonly Translated[],
  readonly: readonly string[],
): SessionFacts {
  const functions = new Map(session.functions)
  const nounset = facts.nounset
  for (const one of sourced) for (const [name, found] of one.session.functions) functions.set(name, found)
  for (const [name, body] of facts.bodies) {
    const { names, other } = stateOf(body, facts)
    functions.set(name, {
      names,
      other: other === 'return' ? undefined : other,
      isEnding: facts.ending.has(name),
      isReading: inputs.reads(body),
      isPiped: !pipefail && isPiped(body),
      setsErrexit: some(body, ({ node }) => setsErrexit(node)),
      isUnchecked: !nounset && some(body, ({ node }) => mayBeUnset(node, true)),
    })
  }
  const added = readonly.filter((name) => !session.readonly.has(name))
  for (const one of sourced)
    added.push(...[...one.session.readonly].filter((name) => !session.readonly.has(name)))
  if (
    added.length === 0 &&
    pipefail === session.pipefail &&
    nounset === session.nounset &&
    isSame(functions, session.functions)
  )
    return session
  return { functions, pipefail, nounset, readonly: new Set([...session.readonly, ...added]) }
}

function isPiped(body: SyntaxNode): boolean {
  return some(body, ({ node }) => node.type === 'Pipeline' && node.commands.length > 1)
}

function isSame(one: SessionFacts['functions'], other: SessionFacts['functions']): boolean {
  return (
    one.size === other.size && [...one].every(([name, found]) => textOf(found) === textOf(other.get(name)))
  )
}

function textOf(found: FunctionFacts | undefined): string {
  return JSON.stringify(found === undefined ? null : { ...found, names: [...found.names] })
}
