import type {
  ClusterUnavailableError,
  EngineUnavailableError,
  HostSaturatedError,
  MemoryLimitError,
  MirrorError,
  ProtocolError,
  SandboxAbortError,
  SandboxClosedError,
  SandboxConfigError,
  SandboxConnectionError,
  SandboxIoError,
  SandboxLimitError,
  SandboxPathNotFoundError,
  SandboxPermissionError,
  SandboxTimeoutError,
  SnapshotError,
  StaleFenceError,
  UnsupportedError,
  WorkerLostError,
} from './errors.ts'
import { SandboxError } from './errors.ts'

/** Every error of this package: `code` tells which class it is, to the compiler too. */
export type KnownSandboxError =
  | ClusterUnavailableError
  | EngineUnavailableError
  | HostSaturatedError
  | MemoryLimitError
  | MirrorError
  | ProtocolError
  | SandboxAbortError
  | SandboxClosedError
  | SandboxConfigError
  | SandboxConnectionError
  | SandboxIoError
  | SandboxLimitError
  | SandboxPathNotFoundError
  | SandboxPermissionError
  | SandboxTimeoutError
  | SnapshotError
  | StaleFenceError
  | UnsupportedError
  | WorkerLostError

/**
 * True for an error of this package. In the branch that it guards, `error.code` narrows `error` to its class:
 * `if (isSandboxError(error) && error.code === 'INVALID_CONFIG') console.log(error.field)`.
 */
export function isSandboxError(error: unknown): error is KnownSandboxError {
  return error instanceof SandboxError
}
