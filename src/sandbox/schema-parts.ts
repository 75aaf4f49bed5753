import * as v from 'valibot'
import { isRecord } from './is-record.ts'

/** The schema of one type of the contract. */
export type SchemaOf<T> = v.GenericSchema<unknown, T>

/** The schemas of all fields of a type. Those of optional fields are made by {@link orAbsent}. */
type FieldsOf<T> = { readonly [Field in keyof T]-?: SchemaOf<T[Field]> }

/**
 * A schema of the values that pass a test; every schema of what another thread or process sends is made of these.
 * Valibot's own schemas write the refused value into an error message. That throws for a string of the greatest
 * length, and takes seconds for a bigint of some megabytes.
 */
export function valueThat<T>(passes: (value: unknown) => value is T): SchemaOf<T> {
  return v.pipe(
    v.unknown(),
    v.rawTransform(({ dataset: { value }, addIssue, NEVER }): T => {
      if (passes(value)) return value
      addIssue({ received: typeof value })
      return NEVER
    }),
  )
}

/** True for a value of the schema's type. */
export function matches<T>(schema: SchemaOf<T>, value: unknown): value is T {
  return v.is(schema, value)
}

export const text = valueThat((value) => typeof value === 'string')
export const number = valueThat((value) => typeof value === 'number')
export const flag = valueThat((value) => typeof value === 'boolean')
/** An integer of at least 0. */
export const count = valueThat((value): value is number => Number.isSafeInteger(value) && Number(value) >= 0)

/** Exactly this value. */
export function exactly<const T extends string | boolean>(wanted: T): SchemaOf<T> {
  return valueThat((value): value is T => value === wanted)
}

/** One of the keys of `words`. A record of all words of a type fails to compile when one is missing. */
export function oneOf<Word extends string>(words: Readonly<Record<Word, true>>): SchemaOf<Word> {
  const known: readonly unknown[] = Object.keys(words)
  return valueThat((value): value is Word => known.includes(value))
}

/** What one of these schemas takes. `v.union` writes the refused value into a message too. */
export function eitherOf<T>(schemas: readonly SchemaOf<T>[]): SchemaOf<T> {
  return valueThat((value): value is T => schemas.some((schema) => matches(schema, value)))
}

/** An object with these fields, and any others. */
export function objectOf<T>(fields: FieldsOf<T>): SchemaOf<T> {
  const schema = v.object<v.ObjectEntries>({ ...fields })
  return valueThat((value): value is T => isRecord(value) && v.is(schema, value))
}

/** A field that may be missing. One that is there and undefined counts as missing. */
export function orAbsent<T>(schema: SchemaOf<T>): v.ExactOptionalSchema<SchemaOf<T>, undefined> {
  return v.exactOptional(valueThat((value): value is T => value === undefined || matches(schema, value)))
}

/** An array without holes. */
export function listOf<T>(item: SchemaOf<T>): SchemaOf<T[]> {
  return valueThat((value) => isListOf(value, item))
}

function isListOf<T>(value: unknown, item: SchemaOf<T>): value is T[] {
  if (!Array.isArray(value)) return false
  // An array of holes can have any length and takes a few bytes: stop at the first hole.
  for (let index = 0; index < value.length; index++) {
    if (!Object.hasOwn(value, index) || !matches(item, value[index])) return false
  }
  return true
}

/** An object of any keys; `v.record` does not look at a key `__proto__`. */
export function recordOf<T>(field: SchemaOf<T>): SchemaOf<Readonly<Record<string, T>>> {
  return valueThat(
    (value): value is Readonly<Record<string, T>> =>
      isPlainObject(value) && Object.values(value).every((held) => matches(field, held)),
  )
}

/** False for typed arrays and boxed strings: listing their keys can exhaust the heap. */
function isPlainObject(value: unknown): value is object {
  return Object.prototype.toString.call(value) === '[object Object]'
}
