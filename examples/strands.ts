// A Strands agent with a sandbox: the agent registers the sandbox's tools by itself. A script stands in for the model, so
// the example needs no network and no key: leave `model` out, or use a real one in its place.
import { Agent, type BaseModelConfig, type Message, Model, type ModelStreamEvent } from '@strands-agents/sdk'
import { ShellHost } from 'strands-shell-runtime'
import { StrandsShellSandbox } from 'strands-shell-runtime/strands'

/** A model that makes one of these calls in each turn, and prints the tool results that it is given. */
class ScriptedModel extends Model {
  readonly #calls: (readonly [tool: string, input: object])[]

  constructor(...calls: (readonly [tool: string, input: object])[]) {
    super()
    this.#calls = calls
  }

  override updateConfig(): void {
    // The script has no options.
  }

  override getConfig(): BaseModelConfig {
    return { modelId: 'scripted' }
  }

  override async *stream(messages: Message[]): AsyncGenerator<ModelStreamEvent> {
    for (const block of messages.at(-1)?.content ?? []) {
      if (block.type === 'toolResultBlock') console.log(block.status, JSON.stringify(block.content))
    }
    const call = this.#calls.shift()
    yield { type: 'modelMessageStartEvent', role: 'assistant' }
    if (call === undefined) yield* say('The least number is 1.')
    else yield* callTool(...call)
    yield { type: 'modelMessageStopEvent', stopReason: call === undefined ? 'endTurn' : 'toolUse' }
  }
}

function say(text: string): ModelStreamEvent[] {
  return [
    { type: 'modelContentBlockStartEvent' },
    { type: 'modelContentBlockDeltaEvent', delta: { type: 'textDelta', text } },
    { type: 'modelContentBlockStopEvent' },
  ]
}

function callTool(name: string, input: object): ModelStreamEvent[] {
  return [
    { type: 'modelContentBlockStartEvent', start: { type: 'toolUseStart', name, toolUseId: name } },
    {
      type: 'modelContentBlockDeltaEvent',
      delta: { type: 'toolUseInputDelta', input: JSON.stringify(input) },
    },
    { type: 'modelContentBlockStopEvent' },
  ]
}

// The host runs the sandbox in a child process: a command that crashes the engine does not end this program.
await using host = new ShellHost()
await using sandbox = new StrandsShellSandbox({ timeout: 20 }, { host })
const model = new ScriptedModel(
  ['sandbox_file_editor', { command: 'create', path: '/tmp/numbers.txt', file_text: '3\n1\n2\n' }],
  ['sandbox_bash', { command: 'sort /tmp/numbers.txt | head -n 1' }],
  ['sandbox_file_editor', { command: 'view', path: '/etc/shadow' }],
)
const agent = new Agent({ model, sandbox, printer: false })
const { lastMessage } = await agent.invoke('What is the least number?')
console.log(JSON.stringify(lastMessage.content))
