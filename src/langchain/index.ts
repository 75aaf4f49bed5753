import type { DynamicStructuredTool, ToolRunnableConfig } from '@langchain/core/tools'
import type { z } from 'zod'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { SandboxToolsOptions as SharedOptions } from '../tools/options.ts'
import { requirePeer } from '../tools/require-peer.ts'
import type { SandboxTool, ToolOutput } from '../tools/sandbox-tool.ts'
import { sandboxTools as sharedTools } from '../tools/sandbox-tools.ts'

const { tool } = await requirePeer('@langchain/core', () => import('@langchain/core/tools'))
const { ToolMessage } = await requirePeer('@langchain/core', () => import('@langchain/core/messages'))

/** Asked before a call runs; `false` refuses it, and the model is told so. What it throws passes through. */
export type ApproveCall = (
  tool: SandboxTool,
  input: Readonly<Record<string, unknown>>,
  config: ToolRunnableConfig,
) => boolean | Promise<boolean>

/** Options of {@link sandboxTools}. */
export interface SandboxToolsOptions extends SharedOptions {
  /**
   * The approval of each call. In a graph it may `interrupt()` for a person's answer.
   *
   * @default undefined (every call runs)
   */
  readonly approve?: ApproveCall | undefined
}

/** A tool whose message has the text for the model as its content, and the {@link ToolOutput} as its artifact. */
export type SandboxStructuredTool = DynamicStructuredTool<z.ZodObject>

/**
 * Makes the tools of a sandbox for LangChain. What goes wrong in a call is a tool message with the status
 * `error`; the signal or timeout of the call's config stops its command.
 *
 * @throws {SandboxConfigError} naming the option that is not valid
 */
export function sandboxTools(sandbox: Sandbox, options: SandboxToolsOptions = {}): SandboxStructuredTool[] {
  const { approve, ...shared } = options
  return sharedTools(sandbox, shared).map((entry) => toTool(entry, approve))
}

const refused: ToolOutput = {
  text: 'The call was not approved, so that nothing was run. Do not try it again.',
  isError: true,
  data: { approved: false },
}

function toTool(entry: SandboxTool, approve: ApproveCall | undefined): SandboxStructuredTool {
  return tool(
    async (input: Record<string, unknown>, config: ToolRunnableConfig) => {
      const allowed = approve === undefined || (await approve(entry, input, config))
      const output = allowed ? await entry.run(input, { signal: config.signal }) : refused
      return [contentOf(output, entry.name, config.toolCall?.id), output]
    },
    {
      name: entry.name,
      description: entry.description,
      schema: entry.input,
      responseFormat: 'content_and_artifact',
    },
  )
}

/** LangChain gives the status `success` to all that it formats itself, so that an error is a message of ours. */
function contentOf(output: ToolOutput, name: string, id: string | undefined) {
  if (!output.isError || id === undefined) return output.text
  return new ToolMessage({ content: output.text, artifact: output, status: 'error', name, tool_call_id: id })
}
