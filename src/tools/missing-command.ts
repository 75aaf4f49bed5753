import { ENGINE_COMMANDS, insteadOf } from './engine-commands.ts'

/** How the engine's shell says that it does not know a command. */
const notFound = /^strands-shell: ([^\s:]+): command not found$/gm

/** One line for each command that the engine said it does not have; nothing for what another shell says. */
export function hintsFor(stderr: string): string {
  const names = new Set(Array.from(stderr.matchAll(notFound), ([, name = '']) => name))
  return [...names].map((name) => hint(name)).join('\n')
}

function hint(name: string): string {
  const instead = insteadOf(name)
  if (instead !== undefined) return `[${name} is not in this sandbox. Instead: ${instead}.]`
  return `[${name} is not in this sandbox. There are: ${ENGINE_COMMANDS.join(' ')}.]`
}
