import { types } from 'node:util'

const SHOWN_CHARACTERS = 40

/**
 * Says what kind of thing a value is, such as `a string of 12 characters`, and nothing of what it
 * holds: for values that may be secret.
 */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (!types.isProxy(value) && Array.isArray(value)) return 'an array'
  switch (typeof value) {
    case 'string':
      return `a string of ${value.length} character${value.length === 1 ? '' : 's'}`
    case 'object':
      return 'an object'
    default:
      return `a ${typeof value}`
  }
}

/** Shows a value in an error message: short, on one line, without running code of the value's. */
export function showValue(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return `${quote(value)} (a string)`
    case 'number':
    case 'boolean':
    case 'bigint':
      return `${Object.is(value, -0) ? '-0' : String(value)} (a ${typeof value})`
    default:
      return kindOf(value)
  }
}

/** Shows a name in an error message: quoted, with invisible characters escaped, cut when long. */
export function quote(text: string): string {
  const cut = text.length > SHOWN_CHARACTERS
  const quoted = JSON.stringify(cut ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text)
  return quoted.replaceAll(
    /[\p{C}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  )
}

/** Shows a number of seconds to the millisecond: what is left of a time limit has a dozen digits. */
export function showSeconds(seconds: number): string {
  return `${Math.max(1, Math.round(seconds * 1000)) / 1000} s`
}
