import type { z } from 'zod'
import { interruptible } from '../async/interruptible.ts'
import type { SandboxSummary } from '../hosted-sandbox/summary.ts'
import { SandboxAbortError } from '../sandbox/errors.ts'
import { failureOf } from './error-text.ts'
import type { SandboxTool, ToolContext, ToolHints, ToolOutput } from './sandbox-tool.ts'
import { z as zod } from './zod.ts'

/** One call of a tool under way. */
export interface ToolCall {
  readonly signal: AbortSignal | undefined
  /** Does one step, unless the call was aborted; stops waiting for it when the call is aborted. */
  step<T>(work: () => Promise<T>): Promise<T>
}

/** A tool before it is guarded. */
export interface ToolDefinition<Input extends z.ZodObject, Output extends z.ZodObject> {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: Input
  readonly output: Output
  readonly hints: ToolHints
  run(
    input: z.output<Input>,
    call: ToolCall,
  ): Promise<{ readonly text: string; readonly data: z.output<Output> }>
}

/** Makes a tool that checks its input, and rejects for nothing but its signal. `summary` is that of its sandbox. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  definition: ToolDefinition<Input, Output>,
  summary?: SandboxSummary,
): SandboxTool<Input, Output> {
  const { name, title, description, input, output, hints } = definition
  return {
    name,
    title,
    description,
    input,
    output,
    hints,
    async run(given: unknown, { signal }: ToolContext = {}): Promise<ToolOutput> {
      const parsed = input.safeParse(withoutNulls(given))
      if (!parsed.success) return refused(parsed.error)
      try {
        const { text, data } = await definition.run(parsed.data, toolCall(signal))
        return { text, isError: false, data }
      } catch (error) {
        if (signal?.aborted) throw error instanceof SandboxAbortError ? error : abortError(signal)
        const { code, message } = failureOf(error, summary)
        return { text: message, isError: true, data: { code, message } }
      }
    },
  }
}

/** A call that ends when the signal fires. */
export function toolCall(signal: AbortSignal | undefined): ToolCall {
  return {
    signal,
    async step(work) {
      if (signal?.aborted) throw abortError(signal)
      return await interruptible(work(), { signal, onAbort: () => abortError(signal) })
    },
  }
}

function abortError(signal: AbortSignal | undefined): SandboxAbortError {
  return new SandboxAbortError('The call of the tool was aborted.', { cause: signal?.reason })
}

function refused(error: z.ZodError): ToolOutput {
  const message = `The input of this tool is not valid.\n${zod.prettifyError(error)}`
  return { text: message, isError: true, data: { code: 'INVALID_INPUT', message } }
}

/** Models that must name every field give null for those they leave out. */
function withoutNulls(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null))
}
