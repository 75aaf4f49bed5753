import type { Input } from './input.ts'
import { RUNNERS } from './runners/index.ts'
import { type Scope, within } from './scope.ts'
import type { Argument } from './words.ts'

/** A command of a script, besides its words. */
export interface Site {
  /** As written. */
  readonly text: string
  readonly input: Input
  /** Takes down what a text says that is run as a script. */
  readonly walk: (text: string, scope: Scope) => void
}

/** Where programs are: a path there is a name. */
const PROGRAM_PATH = /^(?:\/usr(?:\/local)?)?\/s?bin\/[^/]+$/

/** Takes down a command, and what it runs. */
export function runCommand(words: readonly Argument[], site: Site, scope: Scope): void {
  const [first, ...args] = words
  if (first === undefined) return
  const { collector, via } = scope
  const name = first.value
  const { text } = site
  collector.command({ name, args: args.map(({ value }) => value), text, via })
  if (name === undefined) {
    collector.opaque('name', text)
    return
  }
  if (name.includes('/') && !PROGRAM_PATH.test(name)) collector.opaque('file', text)
  const base = name.slice(name.lastIndexOf('/') + 1)
  RUNNERS.get(base)?.(args, {
    text,
    input: site.input,
    collector,
    opaque: (kind) => collector.opaque(kind, text),
    run: (inner) => {
      const innerText = inner.map((word) => word.text).join(' ')
      collector.charge(innerText.length)
      runCommand(inner, { ...site, text: innerText }, within(scope, base))
    },
    script: (script) => {
      if (script === undefined) collector.opaque('script', text)
      else site.walk(script, within(scope, base))
    },
  })
}
