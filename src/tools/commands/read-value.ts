import type { Property } from './input-schema.ts'

/** Words of a command line that make no input, in words that complete "--key". */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The value that a word stands for, by what its property can be. @throws {UsageError} where it can be none */
export function readValue(word: string, { types, values }: Pick<Property, 'types' | 'values'>): unknown {
  if (values !== undefined) {
    const found = values.find((value) => String(value) === word)
    if (found === undefined)
      throw new UsageError(`must be one of ${values.map(String).join(', ')}, but is ${word}`)
    return found
  }
  const value = typedValue(word, types)
  if (value === undefined) throw new UsageError(`must be ${nameOf(types)}, but is ${word}`)
  return value
}

/** Names of types, such as `integer or null`. */
export function nameOf(types: ReadonlySet<string>): string {
  return types.size === 0
    ? 'any'
    : [...types].map((type) => (type === 'object' ? 'JSON object' : type)).join(' or ')
}

/** Undefined where no type takes it. Text is what is nothing else. */
function typedValue(word: string, types: ReadonlySet<string>): unknown {
  const any = types.size === 0
  const json = (any && /^[[{"]/.test(word)) || types.size > 0 ? parsed(word) : undefined
  if ((any || types.has('boolean')) && (word === 'true' || word === 'false')) return word === 'true'
  if ((any || types.has('null')) && word === 'null') return null
  const number = /^-?(\d|\.\d)/.test(word) ? Number(word) : Number.NaN
  if ((any || types.has('number')) && Number.isFinite(number)) return number
  if (types.has('integer') && Number.isSafeInteger(number)) return number
  if ((any || types.has('array')) && Array.isArray(json)) return json
  if ((any || types.has('object')) && typeof json === 'object' && json !== null && !Array.isArray(json))
    return json
  return any || types.has('string') ? word : undefined
}

function parsed(word: string): unknown {
  try {
    return JSON.parse(word)
  } catch {
    return undefined // It is no JSON.
  }
}
