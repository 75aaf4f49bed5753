import type { FunctionTool } from '@openai/agents'
import type { ZodObject } from 'zod'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { approvalOf, type NeedsApproval } from '../tools/approval.ts'
import type { SandboxToolsOptions as SharedOptions } from '../tools/options.ts'
import type { SandboxTool } from '../tools/sandbox-tool.ts'
import { sandboxTools as sharedTools } from '../tools/sandbox-tools.ts'
import { z } from '../tools/zod.ts'
import { tool } from './peer.ts'

/** Options of {@link sandboxTools}. */
export interface SandboxToolsOptions extends SharedOptions {
  /**
   * Which calls need approval before they run: the run then has an interruption for each of them.
   *
   * @default false
   */
  readonly needsApproval?: NeedsApproval | undefined
}

/** JSON Schema of an object, as the SDK takes it for strict tools. */
export interface ToolParameters {
  /** Tools take an object. */
  type: 'object'
  /** The schema of each field, by name. */
  properties: Record<string, object | boolean>
  /** The fields that must be there. */
  required: string[]
  /** Strict: no other fields. */
  additionalProperties: false
}

/** A function tool whose result is the text for the model. */
export type SandboxFunctionTool<Context = unknown> = FunctionTool<Context, ToolParameters, string>

/**
 * Makes the tools of a sandbox as function tools of the OpenAI Agents SDK. The signal of a run stops its commands.
 *
 * @throws {SandboxConfigError} naming the option that is not valid
 */
export function sandboxTools<Context = unknown>(
  sandbox: Sandbox,
  options: SandboxToolsOptions = {},
): SandboxFunctionTool<Context>[] {
  const { needsApproval = false, ...shared } = options
  return sharedTools(sandbox, shared).map((entry) => toTool<Context>(entry, needsApproval))
}

function toTool<Context>(entry: SandboxTool, needsApproval: NeedsApproval): SandboxFunctionTool<Context> {
  const approval = approvalOf(needsApproval, entry)
  return tool({
    name: entry.name,
    description: entry.description,
    parameters: parametersOf(entry.input),
    needsApproval:
      typeof approval === 'boolean' ? approval : async (_context, input) => approval(asRecord(input)),
    execute: async (input, _context, details) => {
      try {
        return (await entry.run(input, { signal: details?.signal })).text
      } catch (error) {
        // The SDK knows an abort by the signal's own reason.
        details?.signal?.throwIfAborted()
        throw error
      }
    },
  })
}

/**
 * The input as JSON Schema. The SDK checks a zod schema itself, and does not tell the model what was wrong; the tools
 * tell it.
 */
function parametersOf(input: ZodObject): ToolParameters {
  const { properties = {}, required = [] } = z.toJSONSchema(input, { io: 'input' })
  return { type: 'object', properties, required, additionalProperties: false }
}

function asRecord(input: unknown): Readonly<Record<string, unknown>> {
  return typeof input === 'object' && input !== null ? { ...input } : {}
}
