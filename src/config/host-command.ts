/** What the function of a command is given. */
export interface HostCommandContext {
  /** Standard input as text: UTF-8, with U+FFFD for bytes that are no text. Empty where there is none. */
  readonly stdin: string
  /** Standard input as it came, at most 64 MiB. */
  readonly stdinBytes: Uint8Array
  /** The exported variables of the command. */
  readonly env: Readonly<Record<string, string>>
  /** The directory of the command: an absolute path in the sandbox. */
  readonly cwd: string
  /**
   * Fires when nobody waits for the function any more: at the command's time limit, when its call is aborted, and when its
   * session ends.
   */
  readonly signal: AbortSignal
  /**
   * Reads a file of the sandbox, while the command runs. A relative path is taken from `cwd`.
   *
   * @throws what the sandbox's `readFile` rejects with; `SandboxClosedError` once the command has ended
   */
  readFile(path: string): Promise<Uint8Array>
  /**
   * Writes a file of the sandbox, while the command runs: text as UTF-8. A relative path is taken from `cwd`.
   *
   * @throws what the sandbox's `writeFile` rejects with; `SandboxClosedError` once the command has ended
   */
  writeFile(path: string, content: string | Uint8Array): Promise<void>
}

/** What a command gives: its standard output, or more. Text is written as UTF-8. */
export type HostCommandResult =
  | string
  | Uint8Array
  | {
      /** @default '' */
      readonly stdout?: string | Uint8Array | undefined
      /** @default '' */
      readonly stderr?: string | Uint8Array | undefined
      /**
       * An integer from 0 to 255.
       *
       * @default 0
       */
      readonly exitCode?: number | undefined
    }

/** A function of this thread as a command of a sandbox's shell. */
export interface HostCommand {
  /** What it does, in a line or more. `name --help` prints it where there is no `help`. */
  readonly description: string
  /**
   * What `name --help` prints.
   *
   * @default the description
   */
  readonly help?: string | undefined
  /**
   * Runs the command. What it throws becomes exit code 1, with the message on standard error.
   *
   * It must not await a call of its own sandbox, which waits until the command has ended: `readFile` and `writeFile` of the
   * context do not.
   *
   * @param args - the words after the name, expanded as the shell does.
   */
  run(
    args: readonly string[],
    context: HostCommandContext,
  ): HostCommandResult | undefined | Promise<HostCommandResult | undefined>
}

/** Commands by their names: letters, digits, `_`, `-` and `.`, beginning with a letter; none of the shell's own words. */
export type HostCommandMap = Readonly<Record<string, HostCommand>>
