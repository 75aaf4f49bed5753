import { SandboxError } from '../sandbox/errors.ts'
import type { ExecutionResult } from '../sandbox/results.ts'
import { EXIT } from './exit-codes.ts'
import { CliError, exitCodeOf, failureText } from './failure.ts'
import type { Output } from './output.ts'

/** How a command ended, as `--json` prints it. */
export interface EndRecord {
  /** The command's own, or what stands for the failure: see the exit codes of `run`. */
  readonly exitCode: number
  readonly stdout?: string
  readonly stderr?: string
  /** Of a command that ran: as in an `ExecutionResult`. */
  readonly timedOut?: boolean
  readonly truncated?: ExecutionResult['truncated']
  readonly durationMs?: number
  readonly error?: { readonly code: string; readonly message: string }
  /** How long it took. */
  readonly seconds?: number
}

/** A command that ran. */
export function resultRecord(result: ExecutionResult): EndRecord {
  const { exitCode, stdout, stderr, timedOut, truncated, durationMs } = result
  return { exitCode, stdout, stderr, timedOut, truncated, durationMs: Math.round(durationMs * 1000) / 1000 }
}

/** What failed, with the output that came before it, if any. */
export function errorRecord(error: unknown): EndRecord {
  return {
    exitCode: exitCodeOf(error),
    ...outputOf(error),
    error: { code: codeOf(error), message: failureText(error) },
  }
}

/** Seconds since a moment of `performance.now()`, to the millisecond. */
export function secondsSince(start: number): number {
  return Math.round(performance.now() - start) / 1000
}

/** Writes a record as one line. */
export function writeRecord(output: Output, record: object): Promise<void> {
  return output.write(`${JSON.stringify(record)}\n`)
}

function outputOf(error: unknown): { readonly stdout?: string; readonly stderr?: string } {
  if (!(error instanceof SandboxError) || !('stdout' in error && 'stderr' in error)) return {}
  return { stdout: String(error.stdout), stderr: String(error.stderr) }
}

function codeOf(error: unknown): string {
  if (error instanceof SandboxError) return error.code
  if (!(error instanceof CliError)) return 'UNEXPECTED'
  if (error.cause instanceof SandboxError) return error.cause.code
  return error.exitCode === EXIT.usage ? 'USAGE' : 'IO_ERROR'
}
