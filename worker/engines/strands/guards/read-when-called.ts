import { quoted } from '../quoting.ts'
import { oneLine } from './one-line.ts'

const DEFINITION = /^(\w+)\(\) \{(.*)\}$/s

/**
 * A shell function whose body the engine reads at each call: for one that is seldom called, its text takes a tenth of the memory of
 * its tree. Aliases of the session act in the body: names of programs are quoted there.
 */
export function readWhenCalled(definition: string): string {
  const [, name, body = ''] = DEFINITION.exec(oneLine(definition)) ?? []
  if (name === undefined) throw new TypeError('A definition of a function is name() { body }.')
  return `${name}() { eval ${quoted(body.trim().replace(/;$/, ''))}; }`
}
