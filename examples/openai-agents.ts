// Two OpenAI agents on one sandbox: one has the tools of this package, the other the SDK's own shell and patch tools.
// Scripts stand in for the models, so the example needs no network and no key: use real models in their place.
import { Agent, applyPatchTool, Runner, shellTool } from '@openai/agents'
import { assistantMessage, functionCall, ScriptedModel } from '@openai/agents/testing'
import { ShellHost } from 'strands-shell-runtime'
import { sandboxEditor, sandboxShell, sandboxTools } from 'strands-shell-runtime/openai-agents'

// The host runs the sandbox in a child process: a command that crashes the engine does not end this program.
await using host = new ShellHost()
const sandbox = await host.open()
const runner = new Runner({ tracingDisabled: true })

runner.on('agent_tool_end', (_context, _agent, tool, result) => {
  console.log(`${tool.name}: ${result.replaceAll('\n', ' | ')}`)
})

const analyst = new Agent({
  name: 'Analyst',
  tools: sandboxTools(sandbox, {
    needsApproval: (_tool, { command }) => typeof command === 'string' && /\brm\b/.test(command),
  }),
  model: new ScriptedModel([
    [functionCall('write_file', { path: '/tmp/numbers.txt', content: '3\n1\n2\n' }, { callId: '1' })],
    [functionCall('read_file', { path: '/tmp/numbers.txt' }, { callId: '2' })],
    [functionCall('shell', { command: 'sort /tmp/numbers.txt | head -n 1' }, { callId: '3' })],
    [functionCall('shell', { command: 'rm /tmp/numbers.txt' }, { callId: '4' })],
    [assistantMessage('The least number is 1.')],
  ]),
})
const { interruptions, state } = await runner.run(analyst, 'What is the least number?')
for (const interruption of interruptions) {
  console.log('refused:', interruption.arguments)
  state.reject(interruption)
}
console.log('says:', (await runner.run(analyst, state)).finalOutput)

const editor = new Agent({
  name: 'Editor',
  tools: [
    shellTool({ shell: sandboxShell(sandbox, { timeout: 10 }) }),
    applyPatchTool({ editor: sandboxEditor(sandbox) }),
  ],
  model: new ScriptedModel([
    [
      {
        type: 'apply_patch_call',
        callId: '1',
        status: 'completed',
        operation: { type: 'update_file', path: '/tmp/numbers.txt', diff: '@@\n 3\n-1\n+0\n 2\n' },
      },
    ],
    [{ type: 'shell_call', callId: '2', action: { commands: ['sort /tmp/numbers.txt', 'python3 -V'] } }],
    [assistantMessage('The least number is 0 now.')],
  ]),
})
console.log('says:', (await runner.run(editor, 'Make it less.')).finalOutput)
