import type { ScriptedModel } from '@openai/agents/testing'

/** The outputs of tools among what the model was shown in the turn with this number, from 1. */
export function outputsShownTo(model: ScriptedModel, turn: number): unknown[] {
  const input = model.calls[turn - 1]?.request.input
  if (!Array.isArray(input)) throw new Error(`the model had no turn ${turn}`)
  return input.flatMap((item) => {
    if (item.type !== 'function_call_result') return []
    const { output } = item
    return [typeof output === 'object' && 'text' in output ? output.text : output]
  })
}
