import { createHash } from 'node:crypto'
import { type ParsedScript, parse, type SyntaxNode } from 'unbash'
import { redirectErrors } from './constructs/errors-of.ts'
import { TRANSLATION_DIRECTORY } from './directory.ts'
import { factsOf } from './facts.ts'
import { PROGRAMS } from './programs.ts'
import { guarded, Refusal } from './refusal.ts'
import { applyRules } from './rules.ts'
import { Script } from './script.ts'
import type { Translated, Translation, TranslationOptions } from './translation.ts'
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

class Unreadable extends Error {}

function translated(source: string, nodes: readonly SyntaxNode[], options: TranslationOptions): Translated {
  const mark = hash(`${options.zero ?? ''}\0${options.errors ?? ''}\0${source}`).slice(0, 10)
  const script = new Script(source)
  const hoisted: string[] = []
  const files = new Map<string, string>()
  let count = 0
  const next = () => ++count
  const work: Work = {
    script,
    mark,
    options,
    facts: factsOf(nodes),
    pending: new Map(),
    patterns: [],
    matching: new Map(),
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
  if (options.errors !== undefined)
    for (const node of nodes)
      redirectErrors(node, options.errors, { ...work, facts: { ...work.facts, functions: new Set() } })
  const [first, last] = [nodes[0], nodes.at(-1)]
  const range = {
    pos: first?.type === 'Script' ? 0 : (first?.pos ?? 0),
    end: last?.type === 'Script' ? source.length : (last?.end ?? 0),
  }
  const definitions = guarded(hoisted.map((definition) => `${definition}\n`).join(''))
  const body = guarded(script.text(range))
  return { text: definitions + body, definitions, body, files }
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function hasErrors(node: SyntaxNode): boolean {
  return node.type === 'Script' && ((node as ParsedScript).errors?.length ?? 0) > 0
}
