import { expect } from 'vitest'
import type { ExecutionEvent, ExecutionResult } from '../../../src/sandbox/results.ts'

/** A whole result: a success without output, but for what is given. */
export function result(
  parts: Partial<Pick<ExecutionResult, 'exitCode' | 'stdout' | 'stderr' | 'truncated'>> = {},
): ExecutionResult {
  return {
    ...{ type: 'executionResult', exitCode: 0, stdout: '', stderr: '', outputFiles: [] },
    ...{ timedOut: false, truncated: false, durationMs: expect.any(Number) },
    ...parts,
  }
}

/** All events of a stream. */
export async function collect(events: AsyncIterable<ExecutionEvent>): Promise<ExecutionEvent[]> {
  const all: ExecutionEvent[] = []
  for await (const event of events) all.push(event)
  return all
}
