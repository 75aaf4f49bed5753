// Runs a command that crashes the engine's process through the tools of each framework, in the pattern of the examples
// and of the pages: sandboxes of a `ShellHost` with its defaults. Prints what each tool said, and what the next call said.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { RunContext } from '@openai/agents'
import { ShellHost } from 'strands-shell-runtime'
import { sandboxTools as aiTools } from 'strands-shell-runtime/ai-sdk'
import { sandboxTools as langChainTools } from 'strands-shell-runtime/langchain'
import { serveHttp } from 'strands-shell-runtime/mcp'
import { sandboxTools as openAiTools } from 'strands-shell-runtime/openai-agents'
import { StrandsShellSandbox } from 'strands-shell-runtime/strands'
import { sandboxTools } from 'strands-shell-runtime/tools'

/** Ends the engine's process with SIGABRT. */
const killer = 'echo | tail -n 100000000000'

/** Prints what a shell tool says of the crash, and of the next command. */
async function crash(name: string, shell: (command: string) => Promise<unknown>): Promise<void> {
  for (const command of [killer, 'echo alive'])
    console.log(JSON.stringify([name, String(await shell(command))]))
}

await using host = new ShellHost()

const [tool] = sandboxTools(await host.open(), { include: ['shell'] })
await crash('tools', async (command) => (await tool?.run({ command }))?.text)

const { shell } = aiTools(await host.open())
await crash('ai-sdk', async (command) =>
  JSON.stringify(await shell?.execute?.({ command }, { toolCallId: '1', messages: [] })),
)

const [langChain] = langChainTools(await host.open(), { include: ['shell'] })
await crash('langchain', async (command) => {
  const message = await langChain?.invoke({
    name: 'shell',
    args: { command },
    id: '1',
    type: 'tool_call' as const,
  })
  return message?.text
})

const [openAi] = openAiTools(await host.open(), { include: ['shell'] })
await crash('openai-agents', async (command) => openAi?.invoke(new RunContext(), JSON.stringify({ command })))

await using strands = new StrandsShellSandbox({}, { host })
await crash('strands', (command) =>
  strands.execute(command).then(
    ({ stdout }) => stdout,
    (error: unknown) => error,
  ),
)

await using server = await serveHttp({ token: 'a-token-of-this-test' })
const client = new Client({ name: 'test', version: '1.0.0' })
const headers = { authorization: 'Bearer a-token-of-this-test' }
await client.connect(new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers } }))
await crash('mcp', async (command) =>
  JSON.stringify((await client.callTool({ name: 'shell', arguments: { command } })).content),
)
await client.close()
