import type { Tool } from 'ai'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { approvalOf, type NeedsApproval } from '../tools/approval.ts'
import type { SandboxToolsOptions as SharedOptions } from '../tools/options.ts'
import { requirePeer } from '../tools/require-peer.ts'
import type { SandboxTool, ToolOutput } from '../tools/sandbox-tool.ts'
import { sandboxTools as sharedTools } from '../tools/sandbox-tools.ts'

export type {
  HostCommand,
  HostCommandContext,
  HostCommandMap,
  HostCommandResult,
} from '../config/host-command.ts'
export type { NeedsApproval } from '../tools/approval.ts'
export { commandsFromTools } from './commands.ts'

const { tool } = await requirePeer('ai', () => import('ai'))

/** Options of {@link sandboxTools}. */
export interface SandboxToolsOptions extends SharedOptions {
  /**
   * Which calls need approval before they run: the agent then ends with a `tool-approval-request` for them.
   *
   * @default false
   */
  readonly needsApproval?: NeedsApproval | undefined
}

/** Tools by their names, as `generateText`, `streamText` and `ToolLoopAgent` take them. */
export type SandboxToolSet = Record<string, Tool<Record<string, unknown>, ToolOutput>>

/**
 * Makes the tools of a sandbox for the AI SDK. Their results hold a `text`, which is what a model sees, and
 * structured `data` for the application. A call's abort signal stops its command.
 *
 * @throws {SandboxConfigError} naming the option that is not valid
 */
export function sandboxTools(sandbox: Sandbox, options: SandboxToolsOptions = {}): SandboxToolSet {
  const { needsApproval = false, ...shared } = options
  return Object.fromEntries(
    sharedTools(sandbox, shared).map((entry) => [entry.name, toTool(entry, needsApproval)]),
  )
}

function toTool(entry: SandboxTool, needsApproval: NeedsApproval): SandboxToolSet[string] {
  return tool({
    title: entry.title,
    description: entry.description,
    inputSchema: entry.input,
    execute: async (input: Record<string, unknown>, { abortSignal }) => {
      try {
        return await entry.run(input, { signal: abortSignal })
      } catch (error) {
        // The SDK knows an abort by the signal's own reason.
        abortSignal?.throwIfAborted()
        throw error
      }
    },
    toModelOutput: ({ output }) => ({ type: output.isError ? 'error-text' : 'text', value: output.text }),
    needsApproval: approvalOf(needsApproval, entry),
  })
}
