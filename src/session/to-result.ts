import type { CommandOutput, FileEntry } from '../contract/shell-api.ts'
import type { ExecutionResult, FileInfo } from '../sandbox/results.ts'

/** What a worker's output of a command is to a caller. */
export function toResult({ exitCode, stdout, stderr }: CommandOutput): ExecutionResult {
  return { type: 'executionResult', exitCode, stdout, stderr, outputFiles: [] }
}

/** What a worker's directory entry is to a caller. */
export function toFileInfo({ name, isDir, size }: FileEntry): FileInfo {
  return { name, isDir, size }
}
