import type { ErrorData } from '../contract/errors.ts'
import {
  EngineUnavailableError,
  MirrorError,
  SandboxConfigError,
  type SandboxError,
  SandboxIoError,
  SandboxLimitError,
  SandboxPathNotFoundError,
  SandboxPermissionError,
  UnsupportedError,
} from './errors.ts'
import { lossError } from './loss-error.ts'
import { foreignText } from './message-text.ts'

type Rebuild = (data: ErrorData) => SandboxError

const rebuilders: Record<ErrorData['code'], Rebuild> = {
  PATH_NOT_FOUND: (data) => new SandboxPathNotFoundError(data.message, pathOf(data)),
  PERMISSION_DENIED: (data) => new SandboxPermissionError(data.message, pathOf(data)),
  IO_ERROR: (data) => new SandboxIoError(data.message, pathOf(data)),
  MIRROR_FAILED: (data) =>
    new MirrorError(data.message, { written: [], pending: [], ...data.mirror, ...causeOf(data) }),
  LIMIT_EXCEEDED: (data) =>
    new SandboxLimitError(data.message, {
      limit: data.limit?.name ?? 'unknown',
      value: data.limit?.value ?? 0,
    }),
  INVALID_CONFIG: (data) => new SandboxConfigError(data.message, { field: data.field || 'config' }),
  UNSUPPORTED: (data) => new UnsupportedError(data.message),
  ENGINE_UNAVAILABLE: (data) => new EngineUnavailableError(data.message),
  WORKER_LOST: ({ message, loss }) => lossError(loss ?? { code: 'WORKER_FAILED', message }, message),
}

/** The error that the far side reported, as the class its code stands for. */
export function rebuildError(data: ErrorData): SandboxError {
  return rebuilders[data.code]({ ...data, message: foreignText(data.message) })
}

function pathOf({ path = '', ...data }: ErrorData): { path: string; cause?: Error } {
  return { path, ...causeOf(data) }
}

function causeOf({ detail }: Pick<ErrorData, 'detail'>): { cause?: Error } {
  return detail === undefined ? {} : { cause: new Error(foreignText(detail)) }
}
