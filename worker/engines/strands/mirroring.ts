import type {
  ApplyReport,
  ApplyRequest,
  ChangeReport,
  CommandOutput,
  Outcome,
  ShellDescription,
} from '../../../src/contract/shell-api.ts'
import type { BindRecord } from '../../../src/contract/shell-record.ts'
import type { FileOperation } from '../../service/file-operation.ts'

/** Where the runtime keeps files of its own inside a sandbox whose binds it mirrors. */
export const STAMP_DIRECTORY = '/dev/.mirror'

/** Whether the changes of a bind are told: it is kept in step with the host, or is a copy. */
export function isMirrored({ mode, readonly }: BindRecord): boolean {
  return mode === 'copy' || (mode === 'direct' && !readonly)
}

/** What keeps the binds of a session in step with the host, around each of its calls. */
export interface Mirroring {
  /** Runs a command between bringing changes of the host in and writing the sandbox's out. */
  command(text: string | undefined, run: () => Promise<CommandOutput>): Promise<Outcome<CommandOutput>>
  /** The same for a file operation, for its path alone. */
  file<T>(operation: FileOperation, path: string, run: () => Promise<Outcome<T>>): Promise<Outcome<T>>
  changes(since: string | undefined): Promise<Outcome<ChangeReport>>
  applyChanges(request: ApplyRequest): Promise<Outcome<ApplyReport>>
  /** What is not mirrored, and why. */
  skipped(): ShellDescription['skipped']
  /** From now on nothing is written to the host. */
  stop(): void
}
