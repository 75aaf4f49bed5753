import { wrongFact } from './wrong-fact.ts'

/** The engine has no NUL, and no text that is not Unicode. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0') && value.isWellFormed()
}

/** @throws {TypeError} where a checkpoint has something else */
export function textOf(value: unknown): string {
  if (!isText(value)) throw wrongFact()
  return value
}

export function isList<Item>(value: unknown, isItem: (item: unknown) => item is Item): value is Item[] {
  return Array.isArray(value) && value.every(isItem)
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
