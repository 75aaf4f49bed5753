import { HARMLESS_VARIABLES } from '../../sandbox/harmless-variables.ts'

/**
 * What programs see of this process's environment: `PATH`, a short list of variables that hold no secrets, and
 * those that were asked for.
 *
 * @param more - Further names, or true for all of them.
 */
export function inheritedEnv(more: true | readonly string[]): Record<string, string> {
  const inherited: Record<string, string> = {}
  for (const [name, value] of Object.entries(process.env)) {
    if (value === undefined) continue
    if (more === true || isHarmless(name) || more.includes(name)) inherited[name] = value
  }
  return inherited
}

function isHarmless(name: string): boolean {
  return HARMLESS_VARIABLES.includes(name) || name.startsWith('LC_')
}
