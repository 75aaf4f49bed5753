import type { ToolSet } from 'ai'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { approvalOf, type NeedsApproval } from '../tools/approval.ts'
import type { SandboxToolsOptions as SharedOptions } from '../tools/options.ts'
import { requirePeer } from '../tools/require-peer.ts'
import type { AllTools, SandboxTool as SharedTool, ToolId } from '../tools/sandbox-tool.ts'
import { sandboxTools as sharedTools } from '../tools/sandbox-tools.ts'
import type { SandboxToolSet, ToolNames } from './tool-set.ts'

export type {
  HostCommand,
  HostCommandContext,
  HostCommandMap,
  HostCommandResult,
} from '../config/host-command.ts'
export type { NeedsApproval } from '../tools/approval.ts'
export type { AllTools } from '../tools/sandbox-tool.ts'
export { commandsFromTools } from './commands.ts'
export type { SandboxTool, SandboxToolOutput, SandboxToolSet, ToolNames } from './tool-set.ts'

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

/**
 * Makes the tools of a sandbox for the AI SDK. Their results hold a `text`, which is what a model sees, and
 * structured `data` for the application. A call's abort signal stops its command.
 *
 * The set has the names and types of its tools: `InferUITools<typeof tools>` types the messages of a user interface.
 *
 * @throws {SandboxConfigError} naming the option that is not valid
 */
export function sandboxTools<
  const Include extends readonly ToolId[] = AllTools,
  const Names extends ToolNames = Record<never, never>,
>(
  sandbox: Sandbox,
  options?: SandboxToolsOptions & {
    readonly include?: Include | undefined
    readonly names?: Names | undefined
  },
): SandboxToolSet<Include, Names>
export function sandboxTools(sandbox: Sandbox, options: SandboxToolsOptions = {}): ToolSet {
  const { needsApproval = false, ...shared } = options
  return Object.fromEntries(
    sharedTools(sandbox, shared).map((entry) => [entry.name, toTool(entry, needsApproval)]),
  )
}

function toTool(entry: SharedTool, needsApproval: NeedsApproval): ToolSet[string] {
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
