import type {
  ApplyReport,
  ApplyRequest,
  ChangeReport,
  CommandOutput,
  CommandRequest,
  Outcome,
  ShellDescription,
} from '../../../src/contract/shell-api.ts'
import type { BindRecord } from '../../../src/contract/shell-record.ts'
import type { ChangeLog } from '../../host-files/change-log.ts'
import type { FileOperation } from '../../service/file-operation.ts'
import type { Mirror } from './mirror/mirror.ts'

/** Whether the changes of a bind are told: it is kept in step with the host, or is a copy. */
export function isMirrored({ mode, readonly }: BindRecord): boolean {
  return mode === 'copy' || (mode === 'direct' && !readonly)
}

/** What tells what a command can change. */
export type MirroredCommand = Pick<CommandRequest, 'command' | 'scope'>

/** What keeps the binds of a session in step with the host, around each of its calls. */
export interface Mirroring {
  /**
   * Runs a command between bringing changes of the host in and writing the sandbox's out.
   *
   * @param request - what `run` runs; `undefined`: nobody knows what it does.
   */
  command(
    request: MirroredCommand | undefined,
    run: () => Promise<CommandOutput>,
  ): Promise<Outcome<CommandOutput>>
  /** The same for a file operation, for its path alone. */
  file<T>(operation: FileOperation, path: string, run: () => Promise<Outcome<T>>): Promise<Outcome<T>>
  changes(since: string | undefined): Promise<Outcome<ChangeReport>>
  applyChanges(request: ApplyRequest): Promise<Outcome<ApplyReport>>
  /** Records all that the sandbox has changed. */
  note(): Promise<void>
  /** Names of commands may have another meaning than those of a fresh session. */
  doubtNames(): Promise<void>
  readonly mirrors: readonly Mirror[]
  /** What came of the marks. */
  readonly log: ChangeLog
  /** What is not mirrored, and why. */
  skipped(): ShellDescription['skipped']
  /** From now on nothing is written to the host. */
  stop(): void
}
