import { isPlain } from '../contract/plain.ts'
import { reading, refuse } from '../sandbox/arguments.ts'
import { kindOf } from '../sandbox/show-value.ts'

/** The fields whose entries are merged one by one. */
const merged = ['env', 'limits', 'files'] as const

/**
 * Puts a sandbox's config over its host's defaults: `env`, `limits` and `files` name by name, every other field whole. A field
 * that is undefined says nothing.
 *
 * @throws {SandboxConfigError} where the config is no plain object
 */
export function mergeConfig(defaults: object, config: unknown = {}): Record<string, unknown> {
  return reading('config', () => {
    if (!isPlainObject(config)) throw refuse('config', `must be a plain object, but is ${kindOf(config)}.`)
    const result: Record<string, unknown> = { ...defaults, ...present(config) }
    for (const field of merged) {
      const [under, over] = [Reflect.get(defaults, field), result[field]]
      if (isPlainObject(under) && isPlainObject(over)) result[field] = { ...under, ...present(over) }
    }
    return result
  })
}

function present(object: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined))
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && isPlain(value)
}
