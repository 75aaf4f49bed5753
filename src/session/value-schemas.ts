import { types } from 'node:util'
import type { OmittedPart } from '../contract/checkpoint.ts'
import type { CommandOutput, FileEntry, FileStat } from '../contract/shell-api.ts'
import { isOwnBytes } from '../sandbox/kinds.ts'
import { outputSchema } from '../sandbox/output-schema.ts'
import { count, flag, listOf, matches, objectOf, oneOf, text, valueThat } from '../sandbox/schema-parts.ts'
import { omittedSchema } from '../snapshot/manifest-schema.ts'

const outputsSchema = listOf(outputSchema)

const entriesSchema = listOf(
  objectOf<FileEntry>({
    name: text,
    isDir: flag,
    size: valueThat((value): value is number => Number.isSafeInteger(value)),
  }),
)

const statSchema = objectOf<FileStat>({
  kind: oneOf({ file: true, directory: true, link: true, other: true }),
  size: count,
  mode: valueThat(
    (value): value is number => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 0o7777,
  ),
  modified: valueThat((value): value is number => Number.isFinite(value)),
})

export function isStat(value: unknown): value is FileStat {
  return matches(statSchema, value)
}

/** @param most - how many there can be; there is one at least. */
export function isOutputs(value: unknown, most: number): value is CommandOutput[] {
  return matches(outputsSchema, value) && value.length > 0 && value.length <= most
}

export function isEntries(value: unknown): value is FileEntry[] {
  return matches(entriesSchema, value)
}

export function isBytes(value: unknown): value is Uint8Array {
  return isOwnBytes(value)
}

export function isBuffer(value: unknown): value is ArrayBuffer {
  return types.isArrayBuffer(value)
}

export function isOmitted(value: unknown): value is readonly OmittedPart[] {
  return matches(omittedSchema, value)
}

export function isNull(value: unknown): value is null {
  return value === null
}

export function isOptionalText(value: unknown): value is string | null {
  return value === null || typeof value === 'string'
}
