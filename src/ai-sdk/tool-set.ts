import type { Tool } from 'ai'
import type { z } from 'zod'
import type { ToolId, ToolOutput } from '../tools/sandbox-tool.ts'
import type { SandboxToolsById } from '../tools/sandbox-tools.ts'

/** Names of tools, by their ids. */
export type ToolNames = Partial<Readonly<Record<ToolId, string>>>

/** What a call of a tool gave: its data, or what went wrong. */
export type SandboxToolOutput<Id extends ToolId = ToolId> = Pick<ToolOutput, 'text'> &
  (
    | {
        /** The call did not fail. */
        readonly isError: false
        /** For programs. */
        readonly data: z.output<SandboxToolsById[Id]['output']>
      }
    | {
        /** The call failed. */
        readonly isError: true
        /** Why. */
        readonly data: {
          /** A stable code, such as `PATH_NOT_FOUND`. */
          readonly code: string
          /** What the model reads. */
          readonly message: string
        }
      }
  )

/** One tool of a sandbox. */
export type SandboxTool<Id extends ToolId = ToolId> = Tool<
  z.output<SandboxToolsById[Id]['input']>,
  SandboxToolOutput<Id>
>

/** What `names` calls a tool. */
type NameOf<Id extends ToolId, Names extends ToolNames> = Id extends keyof Names
  ? Names[Id] extends string
    ? Names[Id]
    : string
  : Id

/**
 * Tools by their names, as `generateText`, `streamText` and `ToolLoopAgent` take them. Names and schemas are known where the
 * call itself says what it includes: `InferUITools` of the AI SDK then gives the types of a user interface.
 */
export type SandboxToolSet<
  Include extends readonly ToolId[] = readonly ToolId[],
  Names extends ToolNames = ToolNames,
> = number extends Include['length']
  ? Record<string, SandboxTool>
  : { [Id in Include[number] as NameOf<Id, Names>]: SandboxTool<Id> }
