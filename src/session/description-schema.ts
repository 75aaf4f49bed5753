import type { ShellDescription } from '../contract/shell-api.ts'
import { flag, listOf, matches, number, objectOf, orAbsent, recordOf, text } from '../sandbox/schema-parts.ts'

const descriptionSchema = objectOf<ShellDescription>({
  binds: listOf(
    objectOf<ShellDescription['binds'][number]>({
      source: text,
      destination: text,
      mode: text,
      readonly: flag,
      exclude: orAbsent(listOf(text)),
    }),
  ),
  credentials: listOf(objectOf<ShellDescription['credentials'][number]>({ url: text, kind: text })),
  allowedUrls: listOf(text),
  env: recordOf(text),
  umask: number,
  timeout: number,
  limits: recordOf(number),
  skipped: listOf(objectOf<ShellDescription['skipped'][number]>({ bind: text, path: text, reason: text })),
})

/** True for an engine's effective config. */
export function isDescription(value: unknown): value is ShellDescription {
  return matches(descriptionSchema, value)
}
