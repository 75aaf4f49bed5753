import { MockLanguageModelV3 } from 'ai/test'

/** A turn of the model: what it says, or the one tool that it calls. */
export type Turn = string | { readonly tool: string; readonly input: unknown }

/** The SDK's own test model, taking its turns in order. */
export function scriptedModel(...turns: Turn[]): MockLanguageModelV3 {
  return new MockLanguageModelV3({ doGenerate: turns.map(resultOf) })
}

/** What the model was shown of the latest tool results, in the turn with this number, from 1. */
export function shownTo(model: MockLanguageModelV3, turn: number): unknown[] {
  const latest = model.doGenerateCalls[turn - 1]?.prompt.at(-1)
  if (latest?.role !== 'tool') throw new Error(`no tool result before turn ${turn}`)
  return latest.content.flatMap((part) => (part.type === 'tool-result' ? [part.output] : []))
}

type Result = Awaited<ReturnType<MockLanguageModelV3['doGenerate']>>

function resultOf(turn: Turn, index: number): Result {
  const rest = { usage, warnings: [] }
  if (typeof turn === 'string') {
    return {
      content: [{ type: 'text', text: turn }],
      finishReason: { unified: 'stop', raw: undefined },
      ...rest,
    }
  }
  const call = { toolCallId: `call-${index + 1}`, toolName: turn.tool, input: JSON.stringify(turn.input) }
  return {
    content: [{ type: 'tool-call', ...call }],
    finishReason: { unified: 'tool-calls', raw: undefined },
    ...rest,
  }
}

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}
