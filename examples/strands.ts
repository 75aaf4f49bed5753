// An agent of the Strands SDK with a sandbox, whose tools it registers by itself. The model is a script, so that no
// network is needed: leave `model` out, or put a real one in its place.
import { Agent, type BaseModelConfig, type Message, Model, type ModelStreamEvent } from '@strands-agents/sdk'
import { StrandsShellSandbox } from '../src/strands/index.ts'

/** A model that makes these calls, one a turn, and prints what it is shown. */
class ScriptedModel extends Model {
  readonly #calls: (readonly [tool: string, input: object])[]

  constructor(...calls: (readonly [tool: string, input: object])[]) {
    super()
    this.#calls = calls
  }

  override updateConfig(): void {
    // A script has nothing to configure.
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

await using sandbox = new StrandsShellSandbox({ timeout: 20 })
const model = new ScriptedModel(
  ['sandbox_file_editor', { command: 'create', path: '/tmp/numbers.txt', file_text: '3\n1\n2\n' }],
  ['sandbox_bash', { command: 'sort /tmp/numbers.txt | head -n 1' }],
  ['sandbox_file_editor', { command: 'view', path: '/etc/shadow' }],
)
const agent = new Agent({ model, sandbox, printer: false })
const { lastMessage } = await agent.invoke('What is the least number?')
console.log(JSON.stringify(lastMessage.content))
