import type { Property } from './input-schema.ts'
import { readValue, UsageError } from './read-value.ts'

/** An option of the command line and its value, where it has one. */
interface Option {
  readonly key: string
  /** After a `=`. */
  readonly attached: string | undefined
}

/**
 * Reads the words of a command as a tool's input: `--key value`, `--key=value`, `--flag`, `--no-flag`, an option again for each
 * item of an array, JSON for an object, `--json` for the whole input. `-` as a value is standard input.
 *
 * @throws {UsageError} where they make none
 */
export function readArguments(
  args: readonly string[],
  properties: readonly Property[],
  stdin: string,
): Record<string, unknown> {
  const given = new Map<string, unknown>()
  const words = [...args]
  while (words.length > 0) {
    const { key, attached } = optionOf(words.shift() ?? '')
    const property = find(key, properties)
    const denied = property === undefined ? findDenied(key, properties) : undefined
    if (denied !== undefined) given.set(denied.name, false)
    else if (property === undefined) {
      if (key !== 'json') throw new UsageError(`--${key} is not an option`)
      readWhole(attached ?? words.shift() ?? '', stdin, given)
    } else {
      const word = attached ?? wordOf(property, words)
      const text = word === '-' && attached === undefined ? stdin : word
      given.set(property.name, withWord(text, property, given.get(property.name)))
    }
  }
  const missing = properties.find(({ name, required }) => required && !given.has(name))
  if (missing !== undefined) throw new UsageError(`--${missing.name} is missing`)
  return Object.fromEntries(given)
}

function optionOf(word: string): Option {
  const [, key, attached] = /^--([^=]+)(?:=(.*))?$/s.exec(word) ?? []
  if (key === undefined) throw new UsageError(`${word} is not an option: every value has its --key`)
  return { key, attached }
}

/** By its name, or its name with hyphens: `--max-results` for `maxResults` and `max_results`. */
function find(key: string, properties: readonly Property[]): Property | undefined {
  return properties.find(({ name }) => name === key) ?? properties.find(({ name }) => hyphened(name) === key)
}

const hyphened = (name: string): string =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase()

function wordOf({ name, types, items }: Property, words: string[]): string {
  const isFlag = types.has('boolean') || (types.has('array') && items.types.has('boolean'))
  const [next] = words
  if (isFlag && next !== 'true' && next !== 'false') return 'true'
  words.shift()
  if (next === undefined) throw new UsageError(`--${name} needs a value`)
  return next
}

function withWord(word: string, property: Property, before: unknown): unknown {
  return named(property.name, () => {
    if (!property.types.has('array')) return readValue(word, property)
    const items = /^\s*\[/.test(word)
      ? readValue(word, { types: property.types, values: undefined })
      : undefined
    const added = Array.isArray(items) ? items : [readValue(word, property.items)]
    return [...(Array.isArray(before) ? before : []), ...added]
  })
}

/** The flag of `--no-flag`. */
function findDenied(key: string, properties: readonly Property[]): Property | undefined {
  const property = key.startsWith('no-') ? find(key.slice(3), properties) : undefined
  return property?.types.has('boolean') === true ? property : undefined
}

/** Takes the fields of a JSON object that no option has given. */
function readWhole(word: string, stdin: string, given: Map<string, unknown>): void {
  const text = (word === '-' ? stdin : word).trim()
  const whole = named('json', () => readValue(text, { types: new Set(['object']), values: undefined }))
  for (const [name, value] of Object.entries(Object(whole))) if (!given.has(name)) given.set(name, value)
}

function named<T>(key: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(`--${key} ${error.message}`) : error
  }
}
