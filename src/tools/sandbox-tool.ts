import type { z } from 'zod'

/** What {@link sandboxTools} can give. */
export type ToolId = 'shell' | 'read_file' | 'write_file' | 'edit_file' | 'list_files' | 'run_code'

/** All tools, in the order in which a call without `include` gives them. */
export type AllTools = readonly ['shell', 'read_file', 'write_file', 'edit_file', 'list_files', 'run_code']

/** What a tool does to the world, in the words of the Model Context Protocol. */
export interface ToolHints {
  /** It changes nothing. */
  readonly readOnly: boolean
  /** It can replace or remove what was there. */
  readonly destructive: boolean
  /** Calling it twice with the same input does no more than calling it once. */
  readonly idempotent: boolean
  /** It can reach what is outside the sandbox, such as the network. */
  readonly openWorld: boolean
}

/** Around one call of a tool. */
export interface ToolContext {
  /** Gives the call up. */
  readonly signal?: AbortSignal | undefined
}

/** What a call gave. */
export interface ToolOutput {
  /** For the model. */
  readonly text: string
  /** Whether the call failed. A command that ran, whatever its exit code, did not. */
  readonly isError: boolean
  /** For programs: JSON of the shape of {@link SandboxTool.output}, or `{ code, message }` where the call failed. */
  readonly data: Readonly<Record<string, unknown>>
}

/** A tool on a sandbox, as any framework can wrap it. The schemas are those of any tool where they are not named. */
export interface SandboxTool<
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodObject = z.ZodObject,
> {
  /** What the model calls it. */
  readonly name: string
  /** Its name for people. */
  readonly title: string
  /** What it does and where, for the model. */
  readonly description: string
  /** The input; every field has a description. */
  readonly input: Input
  /** The shape of {@link ToolOutput.data} where the call did not fail. */
  readonly output: Output
  /** What calling it can do. */
  readonly hints: ToolHints
  /**
   * Calls the tool. What the model, the sandbox or the command did wrong is an output with `isError`.
   *
   * @param input - what the model gave; it is checked
   * @throws {SandboxAbortError} at the moment the signal is aborted, and for nothing else
   */
  run(input: unknown, context?: ToolContext): Promise<ToolOutput>
}
