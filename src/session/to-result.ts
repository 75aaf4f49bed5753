import type { CommandOutput, FileEntry, TruncatedOutput } from '../contract/shell-api.ts'
import type { ExecutionResult, FileInfo } from '../sandbox/results.ts'

/** What a worker's output of a command is to a caller. */
export function toResult(output: CommandOutput): ExecutionResult {
  const { exitCode, stdout, stderr, timedOut, truncated, durationMs } = output
  return {
    type: 'executionResult',
    exitCode,
    stdout,
    stderr,
    outputFiles: [],
    timedOut,
    truncated: truncated && knownFields(truncated),
    durationMs,
  }
}

/** What a worker's directory entry is to a caller. */
export function toFileInfo({ name, isDir, size }: FileEntry): FileInfo {
  return { name, isDir, size }
}

function knownFields({ stdout, stderr }: TruncatedOutput): TruncatedOutput {
  return { ...(stdout === undefined ? {} : { stdout }), ...(stderr === undefined ? {} : { stderr }) }
}
