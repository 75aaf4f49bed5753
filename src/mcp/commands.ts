import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { HostCommand, HostCommandMap } from '../config/host-command.ts'
import { ProtocolError } from '../sandbox/errors.ts'
import { isRecord } from '../sandbox/is-record.ts'
import { outputText, toolCommand } from '../tools/commands/tool-command.ts'

/** What is used of an MCP client. */
export type CommandClient = Pick<Client, 'listTools' | 'callTool'>

/** Tools that a server may list. */
const mostTools = 1000

/**
 * Makes commands of the tools of an MCP client's server, for the `commands` of a `BashSandbox`: those that it lists now. A
 * command reads its words by the tool's input schema. It prints the structured content of the result as JSON, or else its
 * texts; content that is no text as JSON. A result that is an error gives exit code 1, with its text on standard error.
 *
 * @throws {ProtocolError} where the server lists more than 1000 tools
 * @throws what `listTools` of the client rejects with
 */
export async function commandsFromMcp(client: CommandClient): Promise<HostCommandMap> {
  const commands: [name: string, command: HostCommand][] = []
  let cursor: string | undefined
  do {
    const page = await client.listTools(cursor === undefined ? {} : { cursor })
    for (const tool of page.tools) commands.push([tool.name, commandOf(client, tool)])
    if (commands.length > mostTools) throw new ProtocolError(`The server lists more than ${mostTools} tools.`)
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return Object.fromEntries(commands)
}

type ListedTool = Awaited<ReturnType<CommandClient['listTools']>>['tools'][number]

function commandOf(
  client: CommandClient,
  { name, description = name, inputSchema }: ListedTool,
): HostCommand {
  return toolCommand({
    name,
    description,
    schema: inputSchema,
    async call(input, signal) {
      const result: unknown = await client.callTool({ name, arguments: input }, undefined, { signal })
      const text = textOf(result)
      if (isRecord(result) && result['isError'] === true) throw new Error(text.trim() || 'the tool failed')
      return text
    },
  })
}

function textOf(result: unknown): string {
  if (!isRecord(result)) return outputText(result)
  const { structuredContent, content, isError } = result
  if (structuredContent !== undefined && isError !== true) return outputText(structuredContent)
  const blocks: readonly unknown[] = Array.isArray(content) ? content : []
  return blocks
    .map((block) =>
      isRecord(block) && typeof block['text'] === 'string' ? block['text'] : outputText(block),
    )
    .join('\n')
}
