// An AI SDK agent with the tools of a sandbox. A script stands in for the model, so the example needs no network and no
// key: use a real model in its place.
import { ToolLoopAgent } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { ShellHost } from 'strands-shell-runtime'
import { sandboxTools } from 'strands-shell-runtime/ai-sdk'

// The host runs the sandbox in a child process: a command that crashes the engine does not end this program.
await using host = new ShellHost()
const sandbox = await host.open()

const agent = new ToolLoopAgent({
  model: scriptedModel([
    { toolName: 'write_file', input: { path: '/tmp/numbers.txt', content: '3\n1\n2\n' } },
    { toolName: 'read_file', input: { path: '/tmp/numbers.txt' } },
    { toolName: 'shell', input: { command: 'sort /tmp/numbers.txt | head -n 1' } },
    { toolName: 'shell', input: { command: 'rm /tmp/numbers.txt' } },
  ]),
  tools: sandboxTools(sandbox, {
    needsApproval: (_tool, { command }) => typeof command === 'string' && /\brm\b/.test(command),
  }),
  onStepFinish({ toolResults }) {
    for (const result of toolResults) {
      if (!result.dynamic) console.log(`${result.toolName}: ${result.output.text.replaceAll('\n', ' | ')}`)
    }
  },
})

const { content } = await agent.generate({ prompt: 'What is the least number?' })
for (const part of content) {
  if (part.type === 'tool-approval-request') console.log('asks for approval:', part.toolCall.input)
}
console.log('still there:', (await sandbox.execute('ls /tmp/numbers.txt')).stdout.trimEnd())

/** A model that makes one of these calls in each turn. */
function scriptedModel(calls: readonly { toolName: string; input: unknown }[]) {
  return new MockLanguageModelV3({
    doGenerate: calls.map(({ toolName, input }, index) => ({
      content: [{ type: 'tool-call', toolCallId: `${index}`, toolName, input: JSON.stringify(input) }],
      finishReason: { unified: 'tool-calls', raw: undefined },
      usage: {
        inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: 0, text: 0, reasoning: 0 },
      },
      warnings: [],
    })),
  })
}
