import type { ExecutionResult } from '../../sandbox/results.ts'
import type { Content } from './content.ts'

/** Contents of collected files by path. */
export type Files = Readonly<Record<string, Content>>

/** What a run leaves. */
export interface JobRun {
  readonly result: ExecutionResult
  /** Undefined where nothing was to be collected. */
  readonly files: Files | undefined
}
