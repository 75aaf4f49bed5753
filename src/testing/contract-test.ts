import assert from 'node:assert/strict'
import { SandboxError } from '../sandbox/errors.ts'
import type { ExecutionEvent, ExecutionResult } from '../sandbox/results.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'

/** One statement of the contract, as a test of whichever framework runs it. */
export interface ContractTest {
  /** The statement, as a sentence. */
  readonly title: string
  /** Opens a sandbox, tries the statement on it, and closes it. Rejects where it does not hold. */
  readonly run: () => Promise<void>
}

/** What a statement is tried on. */
export interface Subject {
  readonly sandbox: Sandbox
  /** A directory in the sandbox that nothing else writes to. */
  readonly directory: string
}

/** Statements of the contract, by their titles. */
export type Statements = Readonly<Record<string, (subject: Subject) => Promise<void>>>

/** The code of the error that a call rejects with, and the field or path that it names. */
export async function rejection(
  call: () => Promise<unknown>,
): Promise<{ readonly code: string; readonly at?: string }> {
  try {
    await call()
  } catch (error) {
    assert.ok(error instanceof SandboxError, `expected a SandboxError, got ${String(error)}`)
    const at = 'field' in error ? error.field : 'path' in error ? error.path : undefined
    return typeof at === 'string' ? { code: error.code, at } : { code: error.code }
  }
  throw new assert.AssertionError({ message: 'expected the call to reject, but it resolved' })
}

/** All events of a stream. */
export async function eventsOf(stream: AsyncIterable<ExecutionEvent>): Promise<readonly ExecutionEvent[]> {
  const events: ExecutionEvent[] = []
  for await (const event of stream) events.push(event)
  return events
}

/** Fails unless an event is the result of a success without output, but for what is given; how long it took is its own. */
export function assertResult(
  event: ExecutionEvent | undefined,
  parts: Partial<Pick<ExecutionResult, 'exitCode' | 'stdout' | 'stderr'>>,
): void {
  assert.ok(event?.type === 'executionResult', `expected a result, got ${event?.type}`)
  const { durationMs, ...result } = event
  assert.deepEqual(result, {
    ...{ type: 'executionResult', exitCode: 0, stdout: '', stderr: '', outputFiles: [] },
    ...{ timedOut: false, truncated: false },
    ...parts,
  })
  assert.ok(Number.isFinite(durationMs) && durationMs >= 0, `durationMs is ${durationMs}`)
}
