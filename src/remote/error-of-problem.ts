import * as v from 'valibot'
import type { LossCode } from '../contract/errors.ts'
import { isErrorCode, type ProblemData, problemSchema } from '../protocol/problem.ts'
import { isLossCode } from '../sandbox/error-schema.ts'
import * as errors from '../sandbox/errors.ts'
import { isRecord } from '../sandbox/is-record.ts'
import { lossError } from '../sandbox/loss-error.ts'
import { foreignText } from '../sandbox/message-text.ts'

/** Builds the error that a problem is of. */
type Build = (message: string, problem: Fields) => errors.SandboxError
type Fields = Readonly<Record<string, unknown>>

/** The problem in the body of an answer; undefined where it is none. */
export function problemIn(body: Buffer): ProblemData | undefined {
  try {
    const value: unknown = JSON.parse(body.toString())
    return v.is(problemSchema, value) ? value : undefined
  } catch {
    // It is no JSON: something between has answered.
    return undefined
  }
}

/**
 * The error that a problem stands for: that of the library where it has one, else that the service cannot be used so.
 *
 * @param mayHaveBegun - whether the service may have got the call before: that it refuses it now says nothing of then.
 */
export function errorOfProblem(problem: ProblemData, mayHaveBegun = false): errors.SandboxError {
  const { code, detail } = problem
  const message = foreignText(detail)
  if (isErrorCode(code)) return builders[code](message, problem)
  if (code === 'INVALID_REQUEST' || code === 'CONFLICT')
    return new errors.SandboxConfigError(message, { field: text(problem['field']) || 'config' })
  if (code === 'TEMPLATE_GONE') return new errors.SandboxConfigError(message, { field: 'template' })
  if (code === 'NOT_FOUND') return new errors.SandboxClosedError(message)
  const wasRun = code === 'RESULT_GONE' || code === 'OTHER_INSTANCE' || code === 'INTERNAL'
  return new errors.SandboxConnectionError(`The service has refused the call: ${message}`, {
    started: wasRun || mayHaveBegun,
  })
}

const builders: Readonly<Record<errors.SandboxError['code'], Build>> = {
  TIMEOUT: (message, of) => new errors.SandboxTimeoutError(message, { output: outputOf(of) }),
  ABORTED: (message, of) => new errors.SandboxAbortError(message, { output: outputOf(of) }),
  CONNECTION_FAILED: (message, of) =>
    new errors.SandboxConnectionError(message, { output: outputOf(of), started: of['started'] !== false }),
  PATH_NOT_FOUND: (message, of) => new errors.SandboxPathNotFoundError(message, { path: text(of['path']) }),
  PERMISSION_DENIED: (message, of) => new errors.SandboxPermissionError(message, { path: text(of['path']) }),
  IO_ERROR: (message, of) => new errors.SandboxIoError(message, { path: text(of['path']) }),
  MIRROR_FAILED: (message, of) =>
    new errors.MirrorError(message, {
      written: texts(of['written']),
      pending: list(of['pending']).map((one) => ({
        path: text(fieldOf(one, 'path')),
        reason: text(fieldOf(one, 'reason')),
      })),
      ...(typeof of['exitCode'] === 'number'
        ? { output: { ...outputOf(of), exitCode: of['exitCode'] } }
        : {}),
    }),
  LIMIT_EXCEEDED: (message, of) =>
    new errors.SandboxLimitError(message, { limit: text(of['limit']), value: number(of['value']) }),
  INVALID_CONFIG: (message, of) =>
    new errors.SandboxConfigError(message, { field: text(of['field']) || 'config' }),
  CLOSED: (message) => new errors.SandboxClosedError(message),
  WORKER_LOST: (message, of) => lossError(lossOf(of, 'WORKER_FAILED', message), message),
  MEMORY_LIMIT: (message, of) => lossError(lossOf(of, 'CELL_MEMORY', message), message),
  HOST_SATURATED: (message, of) => new errors.HostSaturatedError(message, { saturation: saturationOf(of) }),
  UNSUPPORTED: (message) => new errors.UnsupportedError(message),
  ENGINE_UNAVAILABLE: (message) => new errors.EngineUnavailableError(message),
  PROTOCOL: (message) => new errors.ProtocolError(message),
  INVALID_SNAPSHOT: (message, of) =>
    new errors.SnapshotError(message, {
      fault: faults.find((fault) => fault === of['fault']) ?? 'malformed',
    }),
  STALE_FENCE: (message, of) =>
    new errors.StaleFenceError(message, { fence: number(of['fence']), seen: number(of['seen']) }),
  CLUSTER_UNAVAILABLE: (message) => new errors.ClusterUnavailableError(message),
}

const faults: readonly errors.SnapshotFault[] = [
  'malformed',
  'too-large',
  'signature',
  'version',
  'refused',
  'missing',
]

function lossOf({ loss }: Fields, otherwise: LossCode, message: string) {
  const code = text(fieldOf(loss, 'code'))
  return {
    code: isLossCode(code) ? code : otherwise,
    message: foreignText(text(fieldOf(loss, 'message')) || message),
  }
}

function saturationOf({ saturation }: Fields): errors.Saturation {
  const count = (name: string) => number(fieldOf(saturation, name))
  return {
    reached: [],
    open: count('open'),
    maxSandboxes: count('maxSandboxes'),
    cells: count('cells'),
    maxCells: count('maxCells'),
    queued: count('queued'),
    maxQueued: count('maxQueued'),
    retired: count('retired'),
    maxRetired: count('maxRetired'),
  }
}

function outputOf(of: Fields): errors.PartialOutput {
  return { stdout: text(of['stdout']), stderr: text(of['stderr']) }
}

function fieldOf(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function number(value: unknown): number {
  return typeof value === 'number' ? value : 0
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function texts(value: unknown): readonly string[] {
  return list(value).filter((one) => typeof one === 'string')
}
