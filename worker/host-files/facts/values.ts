/** A checkpoint holds what this version does not write. */
export function wrongFact(): TypeError {
  return new TypeError('The checkpoint is not of this version of the package.')
}

export function isText(value: unknown): value is string {
  return typeof value === 'string'
}

export function isList<Item>(value: unknown, isItem: (item: unknown) => item is Item): value is Item[] {
  return Array.isArray(value) && value.every(isItem)
}

/** The fields of an object. @throws {TypeError} for anything else */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrongFact()
  return { ...value }
}

/** A whole number from 0 to `most`. @throws {TypeError} for anything else */
export function countOf(value: unknown, most = Number.MAX_SAFE_INTEGER): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > most) throw wrongFact()
  return value
}

/** @throws {TypeError} for anything but text or nothing */
export function optionalText(value: unknown): string | undefined {
  if (value !== undefined && !isText(value)) throw wrongFact()
  return value
}
