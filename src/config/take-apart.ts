import { isPlain } from '../contract/plain.ts'
import { reading } from '../sandbox/arguments.ts'

/** A config in two parts. */
interface Parts<Key extends string> {
  /** What is not plain data: files may be bytes, commands have functions. */
  readonly apart: Readonly<Partial<Record<Key, unknown>>>
  /** Everything else, for the schema. */
  readonly others: unknown
}

/** Takes fields out of a config, reading each once. Anything but a plain object is left to the schema. */
export function takeApart<const Key extends string>(config: unknown, keys: readonly Key[]): Parts<Key> {
  const apart: Partial<Record<Key, unknown>> = {}
  if (config === undefined) return { apart, others: {} }
  if (typeof config !== 'object' || config === null) return { apart, others: config }
  return reading('config', () => {
    if (!isPlain(config)) return { apart, others: config }
    const others: Record<string, unknown> = { ...config }
    for (const key of keys) {
      apart[key] = others[key]
      delete others[key]
    }
    return { apart, others }
  })
}
