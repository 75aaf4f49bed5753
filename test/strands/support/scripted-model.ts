import {
  type BaseModelConfig,
  type Message,
  Model,
  type ModelStreamEvent,
  type StreamOptions,
} from '@strands-agents/sdk'

/** A turn of the model: what it says, or the tools that it calls at once. */
export type Turn = string | readonly { readonly tool: string; readonly input: object }[]

/** A model that takes its turns in order, and remembers what it was shown. */
export class ScriptedModel extends Model {
  readonly #turns: Turn[]
  /** What tools gave, as the model saw it: text, or JSON as text; errors begin with `error: `. */
  readonly shown: string[] = []
  /** The names of the tools that it was offered. */
  offered: string[] = []

  constructor(...turns: Turn[]) {
    super()
    this.#turns = turns
  }

  override updateConfig(): void {
    throw new Error('a script has no config')
  }

  override getConfig(): BaseModelConfig {
    return { modelId: 'scripted' }
  }

  override async *stream(messages: Message[], options?: StreamOptions): AsyncGenerator<ModelStreamEvent> {
    this.offered = options?.toolSpecs?.map(({ name }) => name) ?? []
    this.shown.push(...resultsOf(messages.at(-1)))
    const turn = this.#turns.shift() ?? 'I have nothing left to say.'
    yield { type: 'modelMessageStartEvent', role: 'assistant' }
    yield* typeof turn === 'string' ? say(turn) : turn.flatMap(callTool)
    yield { type: 'modelMessageStopEvent', stopReason: typeof turn === 'string' ? 'endTurn' : 'toolUse' }
  }
}

function resultsOf(message: Message | undefined): string[] {
  return (message?.content ?? []).flatMap((block) => {
    if (block.type !== 'toolResultBlock') return []
    const texts = block.content.map((part) => {
      if (part.type === 'textBlock') return part.text
      return part.type === 'jsonBlock' ? JSON.stringify(part.json) : part.type
    })
    return [`${block.status === 'error' ? 'error: ' : ''}${texts.join('\n')}`]
  })
}

function say(text: string): ModelStreamEvent[] {
  return [
    { type: 'modelContentBlockStartEvent' },
    { type: 'modelContentBlockDeltaEvent', delta: { type: 'textDelta', text } },
    { type: 'modelContentBlockStopEvent' },
  ]
}

let calls = 0

function callTool({ tool, input }: { readonly tool: string; readonly input: object }): ModelStreamEvent[] {
  calls += 1
  return [
    {
      type: 'modelContentBlockStartEvent',
      start: { type: 'toolUseStart', name: tool, toolUseId: `call-${calls}` },
    },
    {
      type: 'modelContentBlockDeltaEvent',
      delta: { type: 'toolUseInputDelta', input: JSON.stringify(input) },
    },
    { type: 'modelContentBlockStopEvent' },
  ]
}
