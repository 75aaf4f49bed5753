import { usageError } from '../failure.ts'
import type { TemplateOption } from '../serve.ts'

/** Reads the name and the file of a template. */
export function parseTemplate(text: string): TemplateOption {
  const [, name, file] = /^([A-Za-z0-9_-]{1,64})=(.+)$/s.exec(text) ?? []
  if (name !== undefined && file !== undefined) return { name, file }
  throw usageError(
    `--template must be NAME=FILE, the name of letters, digits, "-" and "_", but is ${JSON.stringify(text)}.`,
  )
}
