import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parse, stringify, type TomlTable } from 'smol-toml'
import type { BindRecord } from '../../../src/contract/shell-record.ts'

/** What the runtime takes of an engine config file into its own hands. */
interface ConfigFile {
  /** The file's `max_output` in bytes, if it names one. */
  readonly maxOutput: number | undefined
  /** Its writable direct binds: they are mirrored. */
  readonly binds: readonly BindRecord[]
  /** Where its other binds are. */
  readonly otherPlaces: readonly string[]
  /** The file without these binds. It may hold tokens. */
  rest(): string
}

/**
 * Reads an engine config file; `undefined` where it cannot be read or parsed: the engine reads it next and says what is
 * wrong with it.
 */
export function readConfigFile(path: string): ConfigFile | undefined {
  const table = parseFile(path)
  if (table === undefined) return undefined
  const entries: readonly unknown[] = Array.isArray(table['bind']) ? table['bind'] : []
  return {
    maxOutput: maxOutputIn(table),
    binds: entries.filter(isWritableDirect).map(({ source, destination }) => ({
      source: resolve(source),
      destination: trimmed(destination),
      mode: 'direct',
      readonly: false,
    })),
    otherPlaces: entries.filter((entry) => !isWritableDirect(entry)).flatMap(placeOf),
    rest: () => stringify({ ...table, bind: entries.filter((entry) => !isWritableDirect(entry)) }),
  }
}

function parseFile(path: string): TomlTable | undefined {
  try {
    return parse(readFileSync(path, 'utf8'), { integersAsBigInt: 'asNeeded' })
  } catch {
    // The engine reads the same file next and says what is wrong with it.
    return undefined
  }
}

function maxOutputIn({ limits }: TomlTable): number | undefined {
  const given = limits instanceof Object && 'max_output' in limits ? limits['max_output'] : undefined
  const value = typeof given === 'bigint' ? Number(given) : given
  if (value === 0) return Number.MAX_SAFE_INTEGER
  return typeof value === 'number' && value > 0 ? value : undefined
}

function isWritableDirect(
  entry: unknown,
): entry is { readonly source: string; readonly destination: string } {
  if (typeof entry !== 'object' || entry === null) return false
  const { source, destination, mode, readonly } = entry as Readonly<Record<string, unknown>>
  const known = typeof source === 'string' && typeof destination === 'string'
  return known && mode === 'direct' && readonly !== true
}

function placeOf(entry: unknown): string[] {
  const isBind = typeof entry === 'object' && entry !== null && 'destination' in entry
  return isBind && typeof entry.destination === 'string' ? [trimmed(entry.destination)] : []
}

function trimmed(destination: string): string {
  return destination.replace(/(.)\/+$/, '$1')
}
