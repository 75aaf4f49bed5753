import type { BashLimitsRecord } from '../../../src/contract/shell-record.ts'
import type { ExecutionLimits } from './just-bash.ts'

const MIB = 1024 * 1024

/** More than any script that ends meets; time is what ends the others. */
const UNBOUNDED = 1_000_000_000

/** A week: the deadline of a command is kept by `Stop`. */
const LONG = 7 * 24 * 3600 * 1000

export type Bounds = BashLimitsRecord

/** just-bash's limits, such that a growing script ends in a message before V8 ends the process. */
export function executionLimits({ maxMemory, maxFileSystem, maxOutput }: Bounds): ExecutionLimits {
  // Doubling holds the old string, the new one and a copy or two of each.
  const string = Math.max(MIB, Math.floor(maxMemory / 16))
  const elements = Math.max(10_000, Math.floor(maxMemory / 256))
  return {
    maxCommandCount: UNBOUNDED,
    maxLoopIterations: UNBOUNDED,
    maxAwkIterations: UNBOUNDED,
    maxSedIterations: UNBOUNDED,
    maxJqIterations: UNBOUNDED,
    maxWorkUnits: UNBOUNDED,
    maxTraversalWork: UNBOUNDED,
    maxGlobOperations: UNBOUNDED,
    maxExecutionTimeMs: LONG,
    maxSqliteTimeoutMs: LONG,
    maxPythonTimeoutMs: LONG,
    maxCallDepth: 1000,
    maxSubstitutionDepth: 100,
    maxStringLength: string,
    maxHeredocSize: string,
    maxArrayElements: elements,
    maxQueryElements: elements,
    maxBraceExpansionResults: Math.min(elements, 1_000_000),
    maxCsvCells: elements * 4,
    maxLiveBytes: Math.floor(maxMemory / 2),
    maxInputBytes: UNBOUNDED,
    maxFileSystemBytes: maxFileSystem,
    maxArchiveBytes: maxFileSystem,
    maxArchiveEntryBytes: maxFileSystem,
    maxDatabaseBytes: maxFileSystem,
    // Counts what is redirected to files as well.
    maxOutputSize: Math.max(maxOutput, Math.floor(maxMemory / 2)),
  }
}
