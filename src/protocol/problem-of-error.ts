import type { KnownSandboxError } from '../sandbox/known-error.ts'
import { type ProblemData, problemOf } from './problem.ts'

/** An error of this package as a problem: its message and its own fields, and nothing of its cause but how a session was lost. */
export function problemOfError(error: KnownSandboxError): ProblemData {
  return problemOf(error.code, error.message, fieldsOf(error))
}

function fieldsOf(error: KnownSandboxError): Readonly<Record<string, unknown>> {
  switch (error.code) {
    case 'TIMEOUT':
    case 'ABORTED':
      return { stdout: error.stdout, stderr: error.stderr }
    case 'CONNECTION_FAILED':
      return { stdout: error.stdout, stderr: error.stderr, started: error.started }
    case 'PATH_NOT_FOUND':
    case 'PERMISSION_DENIED':
    case 'IO_ERROR':
      return { path: error.path }
    case 'MIRROR_FAILED': {
      const { written, pending, stdout, stderr, exitCode } = error
      return { written, pending, stdout, stderr, exitCode }
    }
    case 'LIMIT_EXCEEDED':
      return { limit: error.limit, value: error.value }
    case 'INVALID_CONFIG':
      return { field: error.field }
    case 'WORKER_LOST':
    case 'MEMORY_LIMIT': {
      const { code, message } = error.cause
      return { loss: { code, message } }
    }
    case 'HOST_SATURATED':
      return { saturation: error.saturation }
    case 'INVALID_SNAPSHOT':
      return { fault: error.fault }
    case 'STALE_FENCE':
      return { fence: error.fence, seen: error.seen }
    case 'CLOSED':
    case 'UNSUPPORTED':
    case 'ENGINE_UNAVAILABLE':
    case 'PROTOCOL':
    case 'CLUSTER_UNAVAILABLE':
      return {}
  }
}
