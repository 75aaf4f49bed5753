import { SandboxConfigError } from './errors.ts'
import { shellQuote } from './quoting.ts'
import { kindOf, quote } from './show-value.ts'
import { findTextFault } from './text.ts'

/**
 * Environment variable names: a letter or underscore, then letters, digits or underscores. Mirrors the
 * Strands SDK's `ENV_KEY_PATTERN`: other names could be read as shell syntax.
 */
export const ENV_KEY_PATTERN = /^[a-zA-Z_][a-zA-Z0-9_]*$/

const reservedNames: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * Refuses environment variable names that do not match {@link ENV_KEY_PATTERN}. Mirrors the Strands
 * SDK's `validateEnvKeys`.
 *
 * @throws SandboxConfigError naming the first such name; a value is never part of the message.
 */
export function validateEnvKeys(env: Readonly<Record<string, string>>): void {
  for (const name of Object.keys(env)) {
    const fault = findEnvNameFault(name)
    if (fault !== undefined)
      throw new SandboxConfigError(`${envField(name)} ${fault}`, { field: envField(name) })
  }
}

/**
 * Builds the prefix that sets variables for the rest of a shell command, `export K='v' L='w' && `, or
 * an empty string when there are none. Mirrors the Strands SDK's `buildShellEnvPrefix`: `export` sets
 * them in the shell itself, so that every stage of a pipeline has them.
 *
 * @throws SandboxConfigError naming a variable whose name or value cannot be exported; a value is never
 *   part of the message.
 */
export function buildShellEnvPrefix(env?: Readonly<Record<string, string>>): string {
  if (env === undefined) return ''
  const assignments = Object.entries(env).map(([name, value]) => {
    const fault = findEnvNameFault(name) ?? findEnvValueFault(value)
    if (fault !== undefined)
      throw new SandboxConfigError(`${envField(name)} ${fault}`, { field: envField(name) })
    return `${name}=${shellQuote(value)}`
  })
  return assignments.length === 0 ? '' : `export ${assignments.join(' ')} && `
}

/** The field of a variable in an error: `env.NAME`, or `env["odd name"]`; of another record than `env` with its name. */
export function envField(name: string, record = 'env'): string {
  return ENV_KEY_PATTERN.test(name) ? `${record}.${name}` : `${record}[${quote(name)}]`
}

/** Says why a name cannot be a variable's, or nothing when it can. */
function findEnvNameFault(name: string): string | undefined {
  if (ENV_KEY_PATTERN.test(name)) return undefined
  return 'is not a valid variable name: use letters, digits and underscores, and begin with no digit.'
}

/** Says why a value cannot be a variable's, or nothing when it can. The value is not part of the answer. */
function findEnvValueFault(value: unknown): string | undefined {
  if (typeof value !== 'string') {
    return `must be a string, but is ${kindOf(value)}. Convert the value, or leave the variable out.`
  }
  const fault = findTextFault(value)
  return fault === undefined ? undefined : `must be text, but ${fault}.`
}

/**
 * Says why a variable cannot be set, or nothing when it can. Names that mean something to JavaScript
 * objects are refused as well: they are attempts on the host more often than variables.
 */
export function findEnvFault(name: string, value: unknown): string | undefined {
  const fault = findEnvNameFault(name)
  if (fault !== undefined) return fault
  if (reservedNames.has(name)) return 'is reserved: choose another name for the variable.'
  return findEnvValueFault(value)
}
