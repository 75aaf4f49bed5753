import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { withEither } from '../async/either-signal.ts'
import type { HostedSandbox } from '../hosted-sandbox/hosted-sandbox.ts'
import type { SandboxTool, ToolOutput } from '../tools/sandbox-tool.ts'
import { type RequestContext, withProgress } from './progress.ts'
import type { SessionSandbox } from './session-sandbox.ts'

const replacedNote =
  'Note: the sandbox of this session was closed while nothing used it, and this is a fresh one. What was not written to a host directory is gone, and so are variables and the working directory.'

/** Gives a server the tools of its session's sandbox. @param make - makes those of one sandbox */
export function registerTools(
  server: McpServer,
  session: SessionSandbox,
  make: (sandbox: HostedSandbox) => readonly SandboxTool[],
): void {
  const toolsOf = remembered(make)
  for (const { name, title, description, input, output, hints } of toolsOf(session.current)) {
    const annotations = {
      title,
      readOnlyHint: hints.readOnly,
      destructiveHint: hints.destructive,
      idempotentHint: hints.idempotent,
      openWorldHint: hints.openWorld,
    }
    const call = (given: unknown, context: RequestContext) =>
      withProgress(context, name, () =>
        session.use(async (sandbox) => {
          const tool = toolsOf(sandbox).find((one) => one.name === name)
          if (tool === undefined) throw new Error(`There is no tool ${name} any more.`)
          const replaced = session.takeReplaced()
          return toCallResult(await runUntil(session.stopping, tool, given, context), replaced)
        }),
      )
    server.registerTool(
      name,
      { title, description, inputSchema: input, outputSchema: output, annotations },
      call,
    )
  }
}

/** What a tool gives. Where its session ends before it has, that is told: a client that gets no answer waits for its own time limit. */
async function runUntil(
  stopping: AbortSignal,
  tool: SandboxTool,
  given: unknown,
  { signal: cancelled }: RequestContext,
): Promise<ToolOutput> {
  try {
    return await withEither([cancelled, stopping], (signal) => tool.run(given, { signal }))
  } catch (error) {
    if (cancelled.aborted || !stopping.aborted) throw error
    return stopped
  }
}

const message =
  'CLOSED: The call was stopped, because its session ends. No tool of this session will work any more: say so.'
const stopped: ToolOutput = { text: message, isError: true, data: { code: 'CLOSED', message } }

/** A failure has no structured output: clients hold that to the shape of a success. */
function toCallResult({ text, isError, data }: ToolOutput, replaced: boolean): CallToolResult {
  const content = [{ type: 'text' as const, text: replaced ? `${replacedNote}\n\n${text}` : text }]
  return isError ? { content, isError } : { content, structuredContent: { ...data } }
}

function remembered(
  make: (sandbox: HostedSandbox) => readonly SandboxTool[],
): (sandbox: HostedSandbox) => readonly SandboxTool[] {
  const made = new WeakMap<HostedSandbox, readonly SandboxTool[]>()
  return (sandbox) => {
    const tools = made.get(sandbox) ?? make(sandbox)
    made.set(sandbox, tools)
    return tools
  }
}
