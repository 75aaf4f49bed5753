import type { HostCommand } from '../config/host-command.ts'

/**
 * The functions that a sandbox's commands are. The sandbox holds them, its session only weakly: a function that closes over
 * its sandbox keeps neither alive.
 */
export class HostCommands {
  /** Bytes that one call may give on both streams together. */
  readonly maxOutput: number
  readonly #functions: ReadonlyMap<string, HostCommand['run']>

  constructor(
    commands: readonly { readonly name: string; readonly run: HostCommand['run'] }[],
    maxOutput: number,
  ) {
    this.maxOutput = maxOutput
    this.#functions = new Map(commands.map(({ name, run }) => [name, run]))
  }

  /** The function of a command. */
  get(name: string): HostCommand['run'] | undefined {
    return this.#functions.get(name)
  }
}
