import { readFileSync } from 'node:fs'

/**
 * The `max_output` of an engine config file, in bytes, if it names one. The runtime sets that limit itself, so that the engine
 * would not tell. A file that cannot be read or parsed is left to the engine to refuse.
 */
export async function maxOutputOf(configFile: string): Promise<number | undefined> {
  try {
    // Loaded by those who need it: a worker weighs its modules.
    const { parse } = await import('smol-toml')
    const { limits } = parse(readFileSync(configFile, 'utf8'))
    const value = limits instanceof Object && 'max_output' in limits ? limits['max_output'] : undefined
    if (value === 0) return Number.MAX_SAFE_INTEGER
    return typeof value === 'number' && value > 0 ? value : undefined
  } catch {
    // The engine reads the same file next and says what is wrong with it.
    return undefined
  }
}
