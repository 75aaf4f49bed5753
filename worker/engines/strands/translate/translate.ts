import { createHash } from 'node:crypto'
import { type ParsedScript, parse, type SyntaxNode } from 'unbash'
import { SYNTAX_MESSAGE, UNFINISHED_MESSAGE } from '../../../../src/contract/syntax-message.ts'
import { ASKS_STATUS } from './asks-status.ts'
import { refuseCalls } from './constructs/function-names.ts'
import { complete } from './constructs/pathnames.ts'
import { definedIn } from './definitions.ts'
import { desugared } from './desugar.ts'
import { TRANSLATION_DIRECTORY } from './directory.ts'
import { factsOf } from './facts.ts'
import { helpersOf } from './helpers.ts'
import { Inputs } from './input.ts'
import { PROGRAMS } from './programs.ts'
import { readonlyNames, refuseReadonly } from './readonly-names.ts'
import { guarded, Refusal } from './refusal.ts'
import { applyRules } from './rules.ts'
import { Script } from './script.ts'
import { NEW_SESSION, sessionAfter } from './session-facts.ts'
import type { SessionFacts, Translated, Translation, TranslationOptions } from './translation.ts'
import { unseenText } from './unseen-text.ts'
import { walk } from './walk.ts'
import type { Work } from './work.ts'

interface ReadScript {
  readonly source: string
  readonly tree: ParsedScript
}

/** What was read last: a command is read for its parts, and again where it has none. */
let last: { readonly text: string; readonly session: SessionFacts; readonly script: ReadScript } | undefined

function parsed(text: string, session: SessionFacts): ReadScript {
  if (last?.text === text && last.session === session) return last.script
  const source = desugared(text, session.functions)
  last = { text, session, script: { source, tree: parse(source) } }
  return last.script
}

/** A command as a tree, and its text; undefined where it cannot be read. */
export function readScript(text: string, session: SessionFacts = NEW_SESSION): ReadScript | undefined {
  const script = parsed(text, session)
  return hasErrors(script.tree) ? undefined : script
}

/** What is wrong with a text that cannot be read, as a message. */
export function syntaxErrorOf(text: string, session: SessionFacts = NEW_SESSION): string {
  const { source, tree } = parsed(text, session)
  const { errors = [] } = tree
  // An empty body is reported before the end that it lacks.
  const error = errors.find(({ message }) => !message.startsWith('expected command')) ?? errors[0]
  if (error === undefined) return SYNTAX_MESSAGE
  const { message, pos } = error
  // `if true; fi` lacks a `then` where it ends.
  const isClosed = /^expected '(?:then|do)'$/.test(message) && /\b(?:fi|done|esac)\s*$/.test(source)
  const isAtEnd = message.startsWith('expected') && pos >= source.trimEnd().length && !isClosed
  const isUnfinished = isAtEnd || message.startsWith('unterminated')
  return (isUnfinished ? UNFINISHED_MESSAGE : 'syntax error: ') + message
}

/** Translates a command. */
export function translate(text: string, options: TranslationOptions = {}): Translation {
  const script = readScript(text, options.session)
  return script === undefined ? undefined : translateNodes(script.source, [script.tree], options)
}

/** Translates a part of a command: statements that follow each other. */
export function translateNodes(
  source: string,
  nodes: readonly SyntaxNode[],
  options: TranslationOptions = {},
): Translation {
  try {
    return translated(source, nodes, options)
  } catch (error) {
    if (error instanceof Refusal) return error
    if (error instanceof Unreadable) return undefined
    throw error
  }
}

/** What a part runs in the shell itself. */
function sourced({ scripts, zero }: TranslationOptions): readonly Translated[] {
  return zero === undefined ? [...(scripts?.values() ?? [])].filter((one) => typeof one !== 'string') : []
}

class Unreadable extends Error {}

function translated(source: string, nodes: readonly SyntaxNode[], options: TranslationOptions): Translated {
  const session = options.session ?? NEW_SESSION
  refuseReadonly(nodes, source, session)
  const isUnder = session.nounset || sourced(options).some((one) => one.session.nounset)
  const facts = factsOf(nodes, source, session.functions, isUnder)
  const pipefail =
    session.pipefail || facts.setsPipefail || sourced(options).some((one) => one.session.pipefail)
  const place = `${options.zero ?? ''}\0${options.errors ?? ''}\0${pipefail}\0${nodes[0]?.pos ?? 0}`
  const mark = hash(`${place}\0${source}`).slice(0, 10)
  const script = new Script(source)
  const hoisted: string[] = []
  const files = new Map<string, string>()
  let count = 0
  const next = () => ++count
  const programFile = (name: string) => {
    const path = `${TRANSLATION_DIRECTORY}/bin/${name}`
    files.set(path, PROGRAMS.get(name) ?? '')
    return path
  }
  const names = new Map<string, string>()
  const work: Work = {
    script,
    mark,
    options,
    facts,
    inputs: new Inputs(facts),
    input: options.input === true || options.zero !== undefined ? nodes : undefined,
    pipefail,
    session,
    pending: new Map(),
    operands: new Map(),
    outputs: new Map(),
    patterns: [],
    next,
    hoist: (definition) => hoisted.push(definition),
    file: (text) => {
      const path = `${TRANSLATION_DIRECTORY}/${hash(text).slice(0, 16)}`
      files.set(path, text)
      return path
    },
    scratch: () => `${TRANSLATION_DIRECTORY}/${mark}_${next()}`,
    programFile,
    program: (name) => `lua ${programFile(name)}`,
    translate,
    define: (name) => {
      const id = `${mark}_${names.size + 1}`
      names.set(id, name)
      return id
    },
    add: (more) => {
      for (const [path, text] of more) files.set(path, text)
    },
  }
  for (const node of nodes) {
    walk(node, (place) => {
      if (hasErrors(place.node)) throw new Unreadable()
      applyRules(place.node, work, place)
    })
  }
  const [first, last] = [nodes[0], nodes.at(-1)]
  const range = {
    pos: first?.type === 'Script' ? 0 : (first?.pos ?? 0),
    end: last?.type === 'Script' ? source.length : (last?.end ?? 0),
  }
  const functions = guarded(complete(hoisted.map((definition) => `${definition}\n`).join('')))
  const body = guarded(complete(script.text(range)))
  const definitions = helpersOf(functions + body) + functions
  refuseCalls(definitions + body, source, facts.functions)
  const reads = nodes.some((node) => work.inputs.reads(node))
  const after = sessionAfter(work, sourced(options), readonlyNames(nodes, source))
  // Definitions of functions set the status.
  const isAsked = definitions !== '' && ASKS_STATUS.test(source)
  const text = isAsked
    ? `__ssr_before=$?\n${definitions}__ssr_status "$__ssr_before" && :\n${body}`
    : definitions + body
  const inside = sourced(options)
  const own = { definitions, files, names: [...new Set(names.values())], defined: definedIn(text, names) }
  const scripts = [...(names.size > 0 ? [own] : []), ...inside.flatMap((one) => one.scripts)]
  const unseen = [
    unseenText(nodes, source, { ...options, functions: facts.functions }),
    ...inside.flatMap((one) => one.unseen),
  ]
  return { text, definitions, body, files, reads, session: after, scripts, unseen }
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function hasErrors(node: SyntaxNode): boolean {
  return node.type === 'Script' && ((node as ParsedScript).errors?.length ?? 0) > 0
}
