import type { Defined } from './translation.ts'

/** Before what a mark will be. */
export const UNDEFINED = '-'

/** The variable that says which text has defined a function. */
export function markOf(name: string): string {
  return `__ssr_def_${Buffer.from(name).toString('hex')}`
}

/** The functions that a text defines, with the parts of it that do. One that it has in several forms is left out. */
export function definedIn(text: string, names: ReadonlyMap<string, string>): Defined[] {
  const found: Defined[] = []
  for (const [id, name] of names) {
    const [begin, end] = [`{ ${markOf(name)}=${UNDEFINED}${id}; `, `; ${markOf(name)}=${id}; }`]
    const bodies = text.split(begin).slice(1)
    const parts = new Set(bodies.map((rest) => rest.split(end)[0] ?? ''))
    const [part] = parts
    const isWhole = bodies.every((rest) => rest.includes(end))
    if (part !== undefined && parts.size === 1 && isWhole) found.push({ name, id, text: begin + part + end })
  }
  return found
}
