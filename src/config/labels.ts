import * as v from 'valibot'
import { isPlain } from '../contract/plain.ts'
import { refuse } from '../sandbox/arguments.ts'
import { isRecord } from '../sandbox/is-record.ts'
import { plainObject, say } from './rules.ts'

/** The labels of one sandbox, at most. */
const mostLabels = 16
/** Characters of a name, and of a value. */
const longest = 256

const rule = {
  expected: `an object of at most ${mostLabels} labels, each a name of letters, digits and underscores that begins with no digit, and a text, both of at most ${longest} characters`,
  secret: true,
}

const namePattern = /^[A-Za-z_][A-Za-z0-9_]*$/

/** Whether a label may be called so. */
export function isLabelName(name: unknown): name is string {
  return typeof name === 'string' && namePattern.test(name) && name.length <= longest
}

function isLabels(value: Readonly<Record<string, unknown>>): value is Record<string, string> {
  const entries = Object.entries(value)
  return (
    entries.length <= mostLabels &&
    entries.every(([name, text]) => isLabelName(name) && typeof text === 'string' && text.length <= longest)
  )
}

/** @throws {SandboxConfigError} naming the field, for what are no labels */
export function requireLabels(field: string, value: unknown): Readonly<Record<string, string>> {
  if (isRecord(value) && isPlain(value) && isLabels(value)) return { ...value }
  throw refuse(field, `must be ${rule.expected}, and is not.`)
}

/** The schema of the labels of a config. */
export const labels = v.pipe(
  plainObject(rule.expected),
  v.guard(isLabels, say(rule)),
  v.transform((value): Readonly<Record<string, string>> => Object.freeze({ ...value })),
)
