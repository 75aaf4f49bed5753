// An agent of the AI SDK with the tools of a sandbox. The model is a script, so that no network is needed: put a real one
// in its place.
import { ToolLoopAgent } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { sandboxTools } from '../src/ai-sdk/index.ts'
import { StrandsShellSandbox } from '../src/index.ts'

await using sandbox = await StrandsShellSandbox.open()

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

/** A model that makes these calls, one a turn. */
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
