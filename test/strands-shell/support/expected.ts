import { expect } from 'vitest'
import type { ExecutionResult } from '../../../src/index.ts'

/** The whole result of a command; what is not named is empty, 0 or false, and how long it took is any number. */
export function result(parts: Partial<Omit<ExecutionResult, 'type'>> = {}): ExecutionResult {
  return {
    ...{ type: 'executionResult', exitCode: 0, stdout: '', stderr: '', outputFiles: [] },
    ...{ timedOut: false, truncated: false, durationMs: expect.any(Number) },
    ...parts,
  }
}

/** A result that can be compared with another one: without how long it took. */
export function timeless(one: ExecutionResult): ExecutionResult {
  return { ...one, durationMs: expect.any(Number) }
}

/** What the engine says when it ends a command at its deadline. */
export const deadlineMessage = 'strands-shell: execution timeout exceeded\n'

/** The text of UTF-8 bytes. */
export function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
}

/** The UTF-8 bytes of a text. */
export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
