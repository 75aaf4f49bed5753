// LangChain with the tools of a sandbox: the agent loop written out, with an approval of each call. A script stands in for
// the model, so the example needs no network and no key: use a real model in its place, or give the tools to `createAgent`.
import { AIMessage, type BaseMessage, HumanMessage } from '@langchain/core/messages'
import { fakeModel } from '@langchain/core/testing'
import { ShellHost } from 'strands-shell-runtime'
import { sandboxTools } from 'strands-shell-runtime/langchain'

// The host runs the sandbox in a child process: a command that crashes the engine does not end this program.
await using host = new ShellHost()
const sandbox = await host.open()

const tools = sandboxTools(sandbox, {
  approve: (_tool, { command }) => typeof command !== 'string' || !/\brm\b/.test(command),
})

const model = fakeModel()
  .respondWithTools([{ name: 'write_file', args: { path: '/tmp/numbers.txt', content: '3\n1\n2\n' } }])
  .respondWithTools([{ name: 'read_file', args: { path: '/tmp/numbers.txt' } }])
  .respondWithTools([{ name: 'shell', args: { command: 'sort /tmp/numbers.txt | head -n 1' } }])
  .respondWithTools([{ name: 'shell', args: { command: 'rm /tmp/numbers.txt' } }])
  .respond(new AIMessage('The least number is 1.'))
  .bindTools(tools)

const messages: BaseMessage[] = [new HumanMessage('What is the least number?')]
for (;;) {
  const answer = await model.invoke(messages)
  messages.push(answer)
  if (!answer.tool_calls?.length) break
  for (const call of answer.tool_calls) {
    const tool = tools.find(({ name }) => name === call.name)
    if (tool === undefined) continue
    const message = await tool.invoke({ ...call, type: 'tool_call' as const })
    messages.push(message)
    console.log(`${call.name} (${message.status}): ${message.text.replaceAll('\n', ' | ')}`)
  }
}
console.log('says:', messages.at(-1)?.text)
console.log('still there:', (await sandbox.execute('ls /tmp/numbers.txt')).stdout.trimEnd())
