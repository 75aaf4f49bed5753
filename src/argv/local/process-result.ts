import { SandboxIoError, SandboxPathNotFoundError } from '../../sandbox/errors.ts'
import { quote } from '../../sandbox/show-value.ts'
import type { ExecResult } from '../argv-sandbox.ts'
import { timedOut } from '../output-text.ts'
import type { ProcessEnd, ProcessSpec } from './run-process.ts'

const NOT_FOUND = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE'])
const NOT_EXECUTABLE = new Set(['EACCES', 'ENOEXEC', 'ELOOP', 'E2BIG', 'EISDIR'])

/**
 * What the end of a process means, with the exit codes of a shell.
 *
 * @param hasWorkdir - Whether the workdir is still there: without it no program starts.
 * @throws SandboxPathNotFoundError where it is not
 * @throws SandboxIoError where the system could start no process
 */
export function toResult(end: ProcessEnd, spec: ProcessSpec, hasWorkdir: boolean): ExecResult {
  if (end.how !== 'not started') {
    const { output, truncated, durationMs } = end
    if (end.how !== 'exited') return { ...timedOut(output, spec.timeout), truncated, durationMs }
    return { output, exitCode: end.exitCode, timedOut: false, truncated, durationMs }
  }
  if (!hasWorkdir) {
    throw new SandboxPathNotFoundError(`The workdir ${spec.cwd} is gone.`, { path: spec.cwd })
  }
  const program = spec.argv[0] ?? ''
  if (NOT_FOUND.has(end.code)) return { output: `Command not found: ${quote(program)}`, exitCode: 127 }
  if (NOT_EXECUTABLE.has(end.code)) {
    return { output: `Command cannot be run: ${quote(program)} (${end.code})`, exitCode: 126 }
  }
  throw new SandboxIoError(`${quote(program)} could not be started: ${end.message}`, { path: program })
}
