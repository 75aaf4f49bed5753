import { watchSignal } from '../async/watch-signal.ts'
import type { CommandOutput } from '../contract/shell-api.ts'
import type { ResolvedExecuteOptions } from '../sandbox/arguments.ts'
import type { ExecutionEvent } from '../sandbox/results.ts'
import type { CallLimits } from './call-limits.ts'
import type { Operation } from './operations.ts'
import { StreamedOutput } from './streamed-output.ts'
import { toResult } from './to-result.ts'

/** A call whose output is streamed. */
interface StreamedCall {
  /** The operation that gives its output to `output`. */
  readonly operationOf: (output: StreamedOutput) => Operation<CommandOutput>
  readonly call: (operation: Operation<CommandOutput>, limits: CallLimits) => Promise<CommandOutput>
  /** Bytes of output that the command may give. */
  readonly mostOutput: number
}

/** Makes a call, and yields its output as it comes, then its result. Whoever leaves early stops the call. */
export async function* streamCall(
  { operationOf, call, mostOutput }: StreamedCall,
  { signal, ...limits }: ResolvedExecuteOptions,
): AsyncGenerator<ExecutionEvent, void> {
  const output = new StreamedOutput(mostOutput)
  const stop = new AbortController()
  const unwatch = signal && watchSignal(signal, () => stop.abort(signal.reason))
  const result = call(operationOf(output), { ...limits, signal: stop.signal })
  result.then(
    (value) => output.end(value),
    (error: unknown) => output.fail(error),
  )
  try {
    yield* output.read()
    yield toResult(await result)
  } finally {
    unwatch?.()
    stop.abort()
  }
}
