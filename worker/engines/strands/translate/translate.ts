import { createHash } from 'node:crypto'
import { type ParsedScript, parse, type SyntaxNode } from 'unbash'
import { TRANSLATION_DIRECTORY } from './directory.ts'
import { factsOf } from './facts.ts'
import { Inputs } from './input.ts'
import { PROGRAMS } from './programs.ts'
import { Refusal } from './refusal.ts'
import { applyRules } from './rules.ts'
import { Script } from './script.ts'
import { sessionAfter } from './session-facts.ts'
import type { SessionFacts, Translated, Translation, TranslationOptions } from './translation.ts'
import { walk } from './walk.ts'
import type { Work } from './work.ts'

/** A command as a tree; undefined where it cannot be read. */
export function readScript(source: string): ParsedScript | undefined {
  const tree = parse(source)
  return hasErrors(tree) ? undefined : tree
}

/** Translates a command. */
export function translate(source: string, options: TranslationOptions = {}): Translation {
  const tree = readScript(source)
  return tree === undefined ? undefined : translateNodes(source, [tree], options)
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

const NEW_SESSION: SessionFacts = { functions: new Map(), pipefail: false }

/** What a part runs in the shell itself. */
function sourced({ scripts, zero }: TranslationOptions): readonly Translated[] {
  return zero === undefined ? [...(scripts?.values() ?? [])] : []
}

class Unreadable extends Error {}

function translated(source: string, nodes: readonly SyntaxNode[], options: TranslationOptions): Translated {
  const session = options.session ?? NEW_SESSION
  const facts = factsOf(nodes, session.functions)
  const pipefail =
    session.pipefail || facts.setsPipefail || sourced(options).some((one) => one.session.pipefail)
  const place = `${options.zero ?? ''}\0${options.errors ?? ''}\0${pipefail}\0${nodes[0]?.pos ?? 0}`
  const mark = hash(`${place}\0${source}`).slice(0, 10)
  const script = new Script(source)
  const hoisted: string[] = []
  const files = new Map<string, string>()
  let count = 0
  const next = () => ++count
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
    outputs: new Map(),
    next,
    hoist: (definition) => hoisted.push(definition),
    file: (text) => {
      const path = `${TRANSLATION_DIRECTORY}/${hash(text).slice(0, 16)}`
      files.set(path, text)
      return path
    },
    scratch: () => `${TRANSLATION_DIRECTORY}/${mark}_${next()}`,
    program: (name) => {
      const path = `${TRANSLATION_DIRECTORY}/bin/${name}`
      files.set(path, PROGRAMS.get(name) ?? '')
      return `lua ${path}`
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
  const definitions = hoisted.map((definition) => `${definition}\n`).join('')
  const body = script.text(range)
  return { text: definitions + body, definitions, body, files, session: sessionAfter(work, sourced(options)) }
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function hasErrors(node: SyntaxNode): boolean {
  return node.type === 'Script' && ((node as ParsedScript).errors?.length ?? 0) > 0
}
