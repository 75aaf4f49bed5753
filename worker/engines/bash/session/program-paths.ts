import { innerPath, isPartOfShell } from '../transform/inner-command.ts'

/**
 * Where just-bash looks for a program before it reads `PATH`. It would keep what it found there, also after `PATH` has
 * changed: this remembers nothing and knows what every shell has.
 */
export class ProgramPaths extends Map<string, string> {
  override get(name: string): string | undefined {
    const path = innerPath(name)
    return isPartOfShell(path) ? path : undefined
  }

  override set(): this {
    return this
  }
}
